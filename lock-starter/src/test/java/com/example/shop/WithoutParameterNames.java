package com.example.shop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;

/** A class that is really compiled without {@code -parameters}, as many builds do by default. */
public final class WithoutParameterNames {

    private static final String SOURCE = """
            public class Nameless {
                @io.distributedlock.spring.DistributedLock(key = "'order:' + #userId")
                public void pay(String userId, long amount) {}
            }
            """;

    private WithoutParameterNames() {}

    /** The class {@code Nameless}, which pays under a lock for a parameter that only its source names. */
    public static Class<?> compile(Path folder) {
        try {
            Path source = Files.writeString(folder.resolve("Nameless.java"), SOURCE);
            int result = ToolProvider.getSystemJavaCompiler()
                    .run(null, null, null, "-g:none", "-proc:none", "-d", folder.toString(), source.toString());
            if (result != 0) {
                throw new IllegalStateException("javac ended with " + result);
            }
            try (URLClassLoader loader =
                    new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
                return loader.loadClass("Nameless");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ClassNotFoundException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
