package org.springframework.web.servlet.mvc.method.annotation;

/** The name of a result of Spring MVC, which these tests do not need otherwise. */
public class ResponseBodyEmitter {}
