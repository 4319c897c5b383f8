package com.example.shop;

import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/** Runs one thing on a thread that holds no lock, and waits for it. */
final class OtherThread {

    private OtherThread() {}

    static <T> T call(Callable<T> work) throws Exception {
        FutureTask<T> task = new FutureTask<>(work);
        Thread thread = new Thread(task, "other");
        thread.setDaemon(true);
        thread.start();
        return task.get(60, TimeUnit.SECONDS);
    }
}
