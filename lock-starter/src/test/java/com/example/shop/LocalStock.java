package com.example.shop;

import io.distributedlock.LockContext;
import io.distributedlock.LockHandle;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

@Component
class LocalStock implements Stock {

    @Override
    public String take(String product) {
        return LockContext.current().stream()
                .map((LockHandle lock) -> lock.name() + "/" + lock.key())
                .collect(Collectors.joining(","));
    }
}
