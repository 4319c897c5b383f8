package io.distributedlock.spring.jdbc;

import java.util.List;
import java.util.regex.Pattern;
import org.springframework.dao.EmptyResultDataAccessException;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * The rows of a table, each with the largest fencing token that it was written with, in a column such as
 * {@code fence BIGINT NOT NULL DEFAULT 0}.
 *
 * <p>Guaranteed: after {@link #enter} in a transaction, no holder with a larger token has written the row, and none can
 * before the transaction has ended, because the row is locked until then; and from then on no writer with a smaller
 * token can. This holds whatever happened to the lock: a paused process, a lost replica, a clock that was set. Not
 * guaranteed: anything for writes that do not ask.
 *
 * <p>Where a single statement does the whole write, no guard is needed: {@code UPDATE account SET balance = ?, fence =
 * ? WHERE id = ? AND fence <= ?}, and a count of 0 means too late.
 */
public final class FencedRows {

    private static final Pattern NAME = Pattern.compile("[\\p{L}_][\\p{L}\\p{N}_$]*(\\.[\\p{L}_][\\p{L}\\p{N}_$]*)*");

    private final JdbcOperations jdbc;
    private final String rows;
    private final String raise;
    private final String read;

    /**
     * @param table with its schema if it needs one
     * @param keyColumn names a row
     * @param fenceColumn a number of 64 bits, never null
     * @throws IllegalArgumentException if one of these is no plain name, because it becomes part of a statement as it
     *     is
     */
    public FencedRows(JdbcOperations jdbc, String table, String keyColumn, String fenceColumn) {
        this.jdbc = jdbc;
        this.rows = requireName(table);
        String key = requireName(keyColumn);
        String fence = requireName(fenceColumn);
        this.raise = "UPDATE %s SET %s = ? WHERE %s = ? AND %s <= ?".formatted(rows, fence, key, fence);
        this.read = "SELECT %s FROM %s WHERE %s = ?".formatted(fence, rows, key);
    }

    private static String requireName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("'" + name + "' is no name of a table or column");
        }
        return name;
    }

    /**
     * Raises the fence of a row before it is written, in the same transaction.
     *
     * @param token of the lock that protects the row; several writes with the same token are fine
     * @throws StaleTokenException if the row was written with a larger token; the transaction should be rolled back
     * @throws EmptyResultDataAccessException if there is no such row
     */
    public void enter(Object key, long token) {
        if (jdbc.update(raise, token, key, token) > 0) {
            return;
        }
        List<Long> fence = jdbc.queryForList(read, Long.class, key);
        if (fence.isEmpty()) {
            throw new EmptyResultDataAccessException("There is no row " + key + " in " + rows, 1);
        }
        throw new StaleTokenException("The row %s in %s was written with the fencing token %s, which is larger than %d"
                        .formatted(key, rows, fence.get(0), token)
                + ": the lock was lost to a later holder. Nothing was written; start again with a new lock");
    }
}
