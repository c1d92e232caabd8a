package dev.holdfast.spring.boot;

import dev.holdfast.Holdfast;
import dev.holdfast.postgresql.PostgresNode;
import dev.holdfast.spring.aspect.CommitAssertion;
import java.util.Set;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * The auto-configuration for locks in a PostgreSQL database. The application's {@link DataSource} is the node if no other node is configured.
 * Transactions in the database that keeps the locks assert the leases of locked methods.
 */
@AutoConfiguration(
        after = HoldfastAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration"
        })
@ConditionalOnClass(
        value = {DataSource.class, PostgresNode.class},
        name = "org.postgresql.Driver")
public final class HoldfastDataSourceAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(HoldfastConnectionDetails.class)
    @ConditionalOnSingleCandidate(DataSource.class)
    DataSourceNode holdfastDataSourceNode(DataSource dataSource) {
        return new DataSourceNode(dataSource);
    }

    /** The additional configuration for applications with database transactions. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({TransactionExecutionListener.class, ConnectionHolder.class})
    @ConditionalOnBooleanProperty(name = "holdfast.locked.assert-held", matchIfMissing = true)
    static class Assertions {

        @Bean
        CommitAssertion holdfastCommitAssertion(
                ObjectProvider<Holdfast> holdfast,
                ObjectProvider<DataSource> dataSources,
                ObjectProvider<DataSourceNode> node) {
            return new CommitAssertion(
                    holdfast::getObject, () -> dataSources.orderedStream().toList(), () -> nodes(node));
        }

        /** Returns the data source if it is the client's node. The application may have created the client itself, with another node. */
        private static Set<DataSource> nodes(ObjectProvider<DataSourceNode> node) {
            return node.orderedStream()
                    .filter(DataSourceNode::isOpened)
                    .map(DataSourceNode::dataSource)
                    .collect(Collectors.toSet());
        }
    }
}
