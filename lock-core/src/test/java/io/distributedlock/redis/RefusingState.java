package io.distributedlock.redis;

import static org.awaitility.Awaitility.await;

import io.distributedlock.testkit.resp.RespClient;
import io.distributedlock.testkit.resp.RespError;
import io.distributedlock.testkit.server.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The states of a server in which it refuses commands, with the first word of its error. */
enum RefusingState {
    OOM {
        @Override
        void begin(RedisServer server) {
            server.command("CONFIG", "SET", "maxmemory", "1");
        }
    },
    NOREPLICAS {
        @Override
        void begin(RedisServer server) {
            server.command("CONFIG", "SET", "min-replicas-to-write", "1");
        }
    },
    READONLY {
        @Override
        void begin(RedisServer server) {
            server.command("REPLICAOF", "127.0.0.1", "1");
        }
    },
    MASTERDOWN {
        @Override
        void begin(RedisServer server) {
            server.command("CONFIG", "SET", "replica-serve-stale-data", "no");
            server.command("REPLICAOF", "127.0.0.1", "1");
        }
    },
    MISCONF {
        @Override
        void begin(RedisServer server) {
            try {
                Path gone = Files.createTempDirectory("gone");
                server.command("CONFIG", "SET", "save", "3600 1");
                server.command("CONFIG", "SET", "dir", gone.toString());
                Files.delete(gone);
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
            server.command("BGSAVE");
            await().until(() ->
                    String.valueOf(server.command("INFO", "persistence")).contains("rdb_last_bgsave_status:err"));
        }
    },
    NOPERM {
        @Override
        void begin(RedisServer server) {
            server.command("ACL", "SETUSER", "default", "resetkeys", "~other:*");
        }
    },
    BUSY {
        @Override
        void begin(RedisServer server) {
            server.command("CONFIG", "SET", "lua-time-limit", "1");
            RespClient.connect(server.port()).send("EVAL", "while true do end", "0");
            await().until(() -> isBusy(server));
        }

        private boolean isBusy(RedisServer server) {
            try {
                return server.command("PING") == null;
            } catch (RespError busy) {
                return busy.code().equals("BUSY");
            }
        }
    };

    abstract void begin(RedisServer server);
}
