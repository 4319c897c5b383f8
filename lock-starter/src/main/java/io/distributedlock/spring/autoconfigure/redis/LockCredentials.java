package io.distributedlock.spring.autoconfigure.redis;

import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.RedisCredentialsProviderFactory;

/**
 * Credentials that change while the application runs, from a bean of Spring Data or of the driver. They serve addresses
 * that name no password. The application's own Lettuce connection has a setting for them, which its locks share.
 */
final class LockCredentials {

    private final @Nullable RedisCredentialsProviderFactory factory;

    /** @throws org.springframework.beans.factory.NoUniqueBeanDefinitionException if there are several of a kind */
    LockCredentials(
            ObjectProvider<RedisCredentialsProviderFactory> factories,
            ObjectProvider<RedisCredentialsProvider> providers) {
        RedisCredentialsProviderFactory present = factories.getIfAvailable();
        RedisCredentialsProvider provider = present == null ? providers.getIfAvailable() : null;
        factory = provider == null ? present : always(provider);
    }

    private static RedisCredentialsProviderFactory always(RedisCredentialsProvider provider) {
        return new RedisCredentialsProviderFactory() {
            @Override
            public RedisCredentialsProvider createCredentialsProvider(RedisConfiguration target) {
                return provider;
            }
        };
    }

    @Nullable
    RedisCredentialsProviderFactory factory() {
        return factory;
    }

    /** The same address, which asks for its credentials at each connection if it names none. */
    RedisURI complete(RedisURI uri) {
        RedisCredentialsProvider provider =
                factory == null || hasPassword(uri) ? null : factory.createCredentialsProvider(target(uri));
        if (provider != null) {
            uri.setCredentialsProvider(provider);
        }
        return uri;
    }

    /** What an address names is there at once. */
    private static boolean hasPassword(RedisURI uri) {
        RedisCredentials named =
                uri.getCredentialsProvider().resolveCredentials().toFuture().getNow(null);
        return named != null && named.hasPassword();
    }

    private static RedisConfiguration target(RedisURI uri) {
        RedisStandaloneConfiguration target = uri.getSocket() == null
                ? new RedisStandaloneConfiguration(uri.getHost(), uri.getPort())
                : new RedisStandaloneConfiguration();
        target.setDatabase(uri.getDatabase());
        return target;
    }
}
