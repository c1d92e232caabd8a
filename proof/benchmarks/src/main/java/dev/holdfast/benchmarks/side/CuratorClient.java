package dev.holdfast.benchmarks.side;

import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessLock;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.recipes.locks.InterProcessReadWriteLock;
import org.apache.curator.retry.RetryForever;

/** A client of a ZooKeeper ensemble with Curator's recipes. */
final class CuratorClient implements LockClient {

    private static final int RETRY_AFTER_MILLIS = 10;

    private final CuratorFramework client;

    CuratorClient(List<String> servers) {
        client = CuratorFrameworkFactory.newClient(String.join(",", servers), new RetryForever(RETRY_AFTER_MILLIS));
        client.start();
    }

    @Override
    public NamedLock lock(String name) {
        return of(new InterProcessMutex(client, "/locks/" + name));
    }

    @Override
    public NamedLock readLock(String name) {
        return of(new InterProcessReadWriteLock(client, "/shared/" + name).readLock());
    }

    @Override
    public NamedLock writeLock(String name) {
        return of(new InterProcessReadWriteLock(client, "/shared/" + name).writeLock());
    }

    private static NamedLock of(InterProcessLock lock) {
        NamedLock.Held held = () -> {
            try {
                lock.release();
            } catch (Exception e) {
                throw new IllegalStateException("release failed", e);
            }
        };
        return () -> {
            acquire(lock);
            return held;
        };
    }

    private static void acquire(InterProcessLock lock) throws InterruptedException {
        try {
            lock.acquire();
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("acquire failed", e);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
