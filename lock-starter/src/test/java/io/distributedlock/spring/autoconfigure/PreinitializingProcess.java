package io.distributedlock.spring.autoconfigure;

/** A process that does nothing but load classes in advance; the JVM's log tells which. */
final class PreinitializingProcess {

    static final String END = "preinitialized";

    private PreinitializingProcess() {}

    public static void main(String[] arguments) {
        new LockClassesPreinitializer().preinitialize();
        System.out.println(END);
    }
}
