package com.example.shop;

import io.distributedlock.LockContext;
import io.distributedlock.LockHandle;
import io.distributedlock.spring.DistributedLock;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/** Balances in a database. A deposit reads one and later writes what it has made of it, so two at a time would lose money. */
class Accounts {

    private final JdbcTemplate jdbc;

    Accounts(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
        jdbc.execute("create table if not exists account (id varchar(20) primary key, balance int)");
    }

    /** What happens between the reading and the writing. */
    @FunctionalInterface
    interface Meanwhile {

        Meanwhile NOTHING = lock -> {};

        void run(LockHandle lock) throws Exception;
    }

    @Transactional
    @DistributedLock(name = "account", key = "#id", waitTime = "20s")
    public void deposit(String id, int amount, Meanwhile meanwhile) throws Exception {
        readAndWrite(id, amount, meanwhile);
    }

    @Transactional
    @DistributedLock(name = "account", key = "#id", waitTime = "20s", ttl = "5s")
    public void depositWithinFiveSeconds(String id, int amount, Meanwhile meanwhile) throws Exception {
        readAndWrite(id, amount, meanwhile);
    }

    /** Without a transaction of its own. */
    @DistributedLock(name = "account", key = "#id", waitTime = "0")
    public void depositUnderTheLockAlone(String id, int amount) throws Exception {
        readAndWrite(id, amount, Meanwhile.NOTHING);
    }

    private void readAndWrite(String id, int amount, Meanwhile meanwhile) throws Exception {
        int before = balance(id);
        meanwhile.run(LockContext.find("account").orElseThrow());
        jdbc.update("merge into account key (id) values (?, ?)", id, before + amount);
    }

    int balance(String id) {
        return jdbc.queryForList("select balance from account where id = ?", Integer.class, id).stream()
                .findFirst()
                .orElse(0);
    }
}
