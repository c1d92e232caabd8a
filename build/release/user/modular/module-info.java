module modular {
    requires dev.holdfast;
    requires dev.holdfast.redis;
}
