package io.distributedlock.testkit.provider;

import io.distributedlock.testkit.provider.Rule.Effect;
import io.distributedlock.testkit.provider.ScriptText.Call;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The providers whose rules are known. What is here was read, on the providers' pages and in the threads of projects;
 * no service was reached.
 */
public final class Profiles {
    private static final LocalDate NOVEMBER_22 = LocalDate.of(2026, 11, 22);
    private static final LocalDate NOVEMBER_23 = LocalDate.of(2026, 11, 23);

    private static final String BAD_SCRIPT = "ERR bad lua script for redis cluster, ";
    private static final String UNKNOWN_COMMAND = "ERR unknown command '{0}'";
    private static final String UNKNOWN_SUBCOMMAND = "ERR unknown subcommand '{1}'. Try CLIENT HELP.";
    private static final Set<String> PUBSUB =
            Set.of("PUBLISH", "PUBSUB", "SPUBLISH", "SUBSCRIBE", "PSUBSCRIBE", "UNSUBSCRIBE", "PUNSUBSCRIBE");
    private static final Set<String> EXPIRE = Set.of("EXPIRE", "PEXPIRE", "EXPIREAT", "PEXPIREAT");

    /** A server as it comes, without any rule. */
    public static final Profile BARE = new Profile("bare", List.of());

    /** A cluster or an instance with read-write splitting, whose proxy checks scripts unless its owner says no. */
    public static final Profile ALIBABA_PROXY = new Profile(
            "Alibaba proxy",
            List.of(
                    rule("no script without keys", "help.aliyun.com usage-of-lua-scripts", NOVEMBER_22)
                            .applies(command(Profiles::isScriptWithoutKeys))
                            .quotes("ERR for redis cluster, eval/evalsha number of keys can't be negative or zero")
                            .to("EVAL", "return 1", "0"),
                    rule("the command in a call is a literal", "github.com/redisson/redisson/issues/5596", NOVEMBER_23)
                            .applies(calls(call -> call.command().isEmpty()))
                            .quotes(BAD_SCRIPT
                                    + "first parameter of redis.call/redis.pcall must be a single literal string")
                            .to(eval("local name = 'GET' return redis.call(name, KEYS[1])", "k")),
                    rule("keys in a call are KEYS[n]", "github.com/redisson/redisson/issues/4221", NOVEMBER_22)
                            .applies(calls(call -> !call.namesItsKeys()))
                            .quotes(BAD_SCRIPT + "all the keys that the script uses should be passed using the KEYS"
                                    + " array, and KEYS should not be in expression")
                            .to(eval("local key = KEYS[1] .. ':1' return redis.call('GET', key)", "{k}")),
                    rule("no call within a call", "developer.aliyun.com/ask/636094", NOVEMBER_22)
                            .applies(calls(Call::containsCall))
                            .answers(BAD_SCRIPT + "nested redis.call/redis.pcall")
                            .to(eval("return redis.call('SET', KEYS[1], redis.call('TIME')[1])", "k")),
                    rule("no pub/sub in scripts", "developer.aliyun.com/ask/636094", NOVEMBER_22)
                            .applies(calls(call -> PUBSUB.contains(call.command())))
                            .answers(BAD_SCRIPT + "redis.call/pcall unkown redis command")
                            .to(eval("return redis.call('PUBLISH', 'c', 'm')", "k")),
                    rule("no unpack in scripts", "developer.aliyun.com/ask/636094", NOVEMBER_22)
                            .applies(new Effect.Texts(text -> text.contains("unpack")))
                            .answers(BAD_SCRIPT + "unpack is not supported")
                            .to(eval("return {unpack(KEYS)}", "k")),
                    rule("no CLIENT INFO and ID", "help.aliyun.com document_detail/147892", NOVEMBER_22)
                            .applies(command(words -> isClient(words, "INFO", "ID")))
                            .answers(UNKNOWN_SUBCOMMAND)
                            .to("CLIENT", "INFO"),
                    // Not named by the page, which excludes "commands such as" CLIENT INFO.
                    rule("no CLIENT TRACKING", "help.aliyun.com document_detail/147892", NOVEMBER_23)
                            .applies(command(words -> isClient(words, "TRACKING")))
                            .answers(UNKNOWN_SUBCOMMAND)
                            .to("CLIENT", "TRACKING", "OFF"),
                    rule("CLIENT KILL by address only", "help.aliyun.com document_detail/147892", NOVEMBER_22)
                            .applies(command(Profiles::isKillByMoreThanAddress))
                            .answers("ERR syntax error")
                            .to("CLIENT", "KILL", "ID", "999999999")));

    /** The same with a proxy, and servers, of some years ago. */
    public static final Profile ALIBABA_OLD_PROXY = ALIBABA_PROXY
            .with(new Profile(
                    "",
                    List.of(
                            rule("no HELLO", "help.aliyun.com document_detail/145968, 147892", NOVEMBER_22)
                                    .applies(commands("HELLO"))
                                    .answers(UNKNOWN_COMMAND)
                                    .to("HELLO", "2"),
                            rule("no WAIT", "help.aliyun.com document_detail/145968, 147892", NOVEMBER_22)
                                    .applies(commands("WAIT"))
                                    .answers(UNKNOWN_COMMAND)
                                    .to("WAIT", "0", "1"),
                            rule(
                                            "calls have the arguments of an older server",
                                            "blog.csdn.net/jerryyang_2017/article/details/129246903",
                                            NOVEMBER_23)
                                    .applies(calls(call -> EXPIRE.contains(call.command())
                                            && call.arguments().size() != 3))
                                    .quotes(BAD_SCRIPT
                                            + "redis.call/pcall, wrong number of arguments for 'pexpire' command")
                                    .to(eval("return redis.call('PEXPIRE', KEYS[1], 1, 'GT')", "k")))))
            .named("Alibaba older proxy");

    public static final Profile TENCENT = new Profile(
            "Tencent",
            List.of(
                    rule("RESP2 only", "tencentcloud.com/document/product/239/77219", NOVEMBER_22)
                            .applies(command(words -> is(words, "HELLO") && words.size() > 1 && is(words, 1, "3")))
                            .answers("NOPROTO unsupported protocol version")
                            .to("HELLO", "3"),
                    rule("no ACL", "tencentcloud.com/document/product/239/77219", NOVEMBER_22)
                            .applies(commands("ACL"))
                            .quotes(UNKNOWN_COMMAND)
                            .to("ACL", "WHOAMI"),
                    rule("no client-side caching", "tencentcloud.com/document/product/239/77219", NOVEMBER_22)
                            .applies(command(words -> isClient(words, "TRACKING", "CACHING")))
                            .answers(UNKNOWN_SUBCOMMAND)
                            .to("CLIENT", "TRACKING", "OFF")));

    public static final Profile HUAWEI_PROXY = new Profile(
            "Huawei proxy",
            List.of(rule("no PUBLISH in scripts", "support.huaweicloud.com dcs-faq-0427035", NOVEMBER_22)
                    .applies(inScripts("PUBLISH"))
                    .answers("ERR This Redis command is not allowed from script")
                    .to(eval("return redis.call('PUBLISH', 'c', 'm')", "k"))));

    public static final Profile ELASTICACHE_SERVERLESS = new Profile(
            "ElastiCache Serverless",
            List.of(
                    rule("no PSUBSCRIBE", "github.com/spring-projects/spring-data-redis/issues/2815", NOVEMBER_22)
                            .applies(commands("PSUBSCRIBE", "PUNSUBSCRIBE"))
                            .quotes("ERR unknown command '{0}', with args beginning with: {1}")
                            .to("PSUBSCRIBE", "c*"),
                    rule("no CLIENT LIST", "github.com/rq/rq/issues/2125", NOVEMBER_22)
                            .applies(command(words -> isClient(words, "LIST")))
                            .answers(UNKNOWN_SUBCOMMAND)
                            .to("CLIENT", "LIST"),
                    rule("no CLIENT TRACKING", "github.com/redis/rueidis/issues/612", NOVEMBER_22)
                            .applies(command(words -> isClient(words, "TRACKING", "CACHING")))
                            .quotes(UNKNOWN_SUBCOMMAND)
                            .to("CLIENT", "TRACKING", "OFF"),
                    rule("no script without keys", "github.com/django/channels_redis/issues/379", NOVEMBER_23)
                            .applies(command(Profiles::isScriptWithoutKeys))
                            .quotes("ERR Lua scripts without any input keys are not supported.")
                            .to("EVAL", "return 1", "0"),
                    rule(
                                    "no subscriber is seen from a script",
                                    "github.com/spring-projects/spring-integration/issues/10471",
                                    NOVEMBER_22)
                            .applies(new Effect.Calls("""
                                    if command == 'PUBSUB' and string.upper(args[2]) == 'NUMSUB' then
                                      local none = {}
                                      for i = 3, #args do none[#none + 1] = args[i] none[#none + 1] = 0 end
                                      return none
                                    end"""))
                            .answers("0")
                            .to(eval("return redis.call('PUBSUB', 'NUMSUB', 'heard')[2]", "k")),
                    rule(
                                    "a script publishes in its own slot only",
                                    "github.com/redisson/redisson/issues/6463",
                                    NOVEMBER_23)
                            .applies(new Effect.Calls("""
                                    local function tag(name) return string.match(name, '^[^{]*{([^}]+)}') or name end
                                    if command == 'PUBLISH' and tag(args[2]) ~= tag(KEYS[1] or '') then
                                      return answer
                                    end"""))
                            .quotes("ERR Script attempted to access keys that do not hash to the same slot")
                            .to(eval("return redis.call('PUBLISH', 'heard', 'm')", "k"))));

    /** Redis Software and Redis Cloud, and Azure Managed Redis, which is made of it. */
    public static final Profile REDIS_ENTERPRISE = new Profile(
            "Redis Enterprise",
            List.of(
                    rule(
                                    "users are not changed by commands",
                                    "redis.io/docs compatibility/commands/server",
                                    NOVEMBER_23)
                            .applies(command(words -> is(words, "ACL")
                                    && words.size() > 1
                                    && (is(words, 1, "SETUSER") || is(words, 1, "DELUSER"))))
                            .answers("ERR command 'acl|{1}' is not allowed")
                            .to("ACL", "SETUSER", "rotated"),
                    rule("no CLIENT PAUSE, NO-EVICT, GETREDIR", "redis.io/docs compatibility/commands", NOVEMBER_23)
                            .applies(command(words -> isClient(words, "PAUSE", "NO-EVICT", "GETREDIR")))
                            .answers("ERR command 'client|{1}' is not allowed")
                            .to("CLIENT", "NO-EVICT", "off")));

    /** The same, for a database that was made before version 7.2 or 7.4. */
    public static final Profile REDIS_ENTERPRISE_OLD = REDIS_ENTERPRISE
            .with(new Profile(
                    "",
                    List.of(
                            rule("RESP2 only", "github.com/redis/lettuce/issues/2455", NOVEMBER_23)
                                    .applies(command(
                                            words -> is(words, "HELLO") && words.size() > 1 && is(words, 1, "3")))
                                    .quotes("NOPROTO unsupported protocol version")
                                    .to("HELLO", "3"),
                            rule("no CLIENT TRACKING", "github.com/bezzad/HybridRedisCache/issues/16", NOVEMBER_22)
                                    .applies(command(words -> isClient(words, "TRACKING", "CACHING")))
                                    .quotes("ERR command 'client|{1}' is not allowed")
                                    .to("CLIENT", "tracking", "off"))))
            .named("Redis Enterprise, older database");

    public static final Profile DRAGONFLY = new Profile(
            "Dragonfly",
            List.of(rule("scripts touch their KEYS only", "github.com/dragonflydb/dragonfly/issues/4249", NOVEMBER_23)
                    .applies(new Effect.Calls("""
                            local declared = {}
                            for _, key in ipairs(KEYS) do declared[key] = true end
                            for i = 2, math.min(#args, 1 + %s) do
                              if not declared[args[i]] then return {err = answer.err .. args[i]} end
                            end""".formatted(CommandKeys.luaCount())))
                    .quotes("ERR Error running script (call to f_0): @user_script:1: script tried accessing undeclared"
                            + " key, key: ")
                    .to(eval("return redis.call('GET', KEYS[1] .. ':1')", "k"))));

    /** A version before July 2026, with scripts switched on. */
    public static final Profile GARNET = new Profile(
            "Garnet",
            List.of(rule("no PUBLISH in scripts", "github.com/microsoft/garnet/pull/1927", NOVEMBER_22)
                    .applies(inScripts("PUBLISH"))
                    .quotes("ERR PUBLISH is disabled")
                    .to(eval("return redis.call('PUBLISH', 'c', 'm')", "k"))));

    /** A server or proxy that takes no scripts, such as Garnet unless they are switched on. */
    public static final Profile NO_SCRIPTS = new Profile(
            "no scripts",
            List.of(rule("no scripts and no functions", "github.com/microsoft/garnet/pull/550", NOVEMBER_23)
                    .applies(commands("EVAL", "EVALSHA", "EVAL_RO", "EVALSHA_RO", "SCRIPT", "FUNCTION", "FCALL"))
                    .answers(UNKNOWN_COMMAND)
                    .to(eval("return 1", "k"))));

    /** An instance of Alibaba in need of an update. */
    public static final Profile ALIBABA_WITHOUT_SCRIPTS = new Profile(
            "Alibaba without scripts",
            List.of(rule("no scripts for normal users", "developer.aliyun.com/article/645851", NOVEMBER_23)
                    .applies(commands("EVAL", "EVALSHA", "SCRIPT"))
                    .quotes("ERR command {0} not support for normal user")
                    .to(eval("return 1", "k"))));

    /** A user who may not run scripts. */
    public static final Profile NO_RIGHT_TO_SCRIPTS = new Profile(
            "no right to scripts",
            List.of(rule("no right to scripts and functions", "redis.io/docs security/acl", NOVEMBER_23)
                    .applies(commands("EVAL", "EVALSHA", "EVAL_RO", "EVALSHA_RO", "SCRIPT", "FUNCTION", "FCALL"))
                    .quotes("NOPERM this user has no permissions to run the '{0}' command")
                    .to(eval("return 1", "k"))));

    /** The commands of Tair that compare a value. */
    public static final Profile TAIR_COMMANDS = new Profile(
            "Tair commands",
            List.of(
                    rule("CAD", "help.aliyun.com cas-cad-command", NOVEMBER_22)
                            .applies(new Effect.Addition("CAD", words -> words.size() == 3, """
                                    local value = redis.call('GET', KEYS[1])
                                    if value ~= ARGV[1] then return value and 0 or -1 end
                                    return redis.call('DEL', KEYS[1])"""))
                            .answers("-1")
                            .to("CAD", "absent", "v"),
                    rule("CAS", "help.aliyun.com cas-cad-command", NOVEMBER_22)
                            .applies(new Effect.Addition("CAS", words -> words.size() == 4 || words.size() == 6, """
                                    local value = redis.call('GET', KEYS[1])
                                    if value ~= ARGV[1] then return value and 0 or -1 end
                                    redis.call('SET', KEYS[1], unpack(ARGV, 2))
                                    return 1"""))
                            .answers("-1")
                            .to("CAS", "absent", "v", "w", "PX", "1000")));

    /** The commands of Redis 8.4 that compare a value. */
    public static final Profile REDIS_8_4_COMMANDS = new Profile(
            "Redis 8.4 commands",
            List.of(
                    rule("DELEX", "redis.io/commands/delex", NOVEMBER_22)
                            .applies(new Effect.Addition(
                                    "DELEX", words -> words.size() == 4 && is(words, 2, "IFEQ"), """
                                    local equal = redis.call('GET', KEYS[1]) == ARGV[2]
                                    return equal and redis.call('DEL', KEYS[1]) or 0"""))
                            .answers("0")
                            .to("DELEX", "absent", "IFEQ", "v"),
                    rule("SET IFEQ", "redis.io/commands/set", NOVEMBER_22)
                            .applies(new Effect.Addition(
                                    "SET", words -> words.stream().skip(3).anyMatch("IFEQ"::equalsIgnoreCase), """
                                    local wanted
                                    local rest = {}
                                    local i = 2
                                    while i <= #ARGV do
                                      if string.upper(ARGV[i]) == 'IFEQ' then
                                        wanted = ARGV[i + 1]
                                        i = i + 1
                                      else
                                        rest[#rest + 1] = ARGV[i]
                                      end
                                      i = i + 1
                                    end
                                    return redis.call('GET', KEYS[1]) == wanted
                                      and redis.call('SET', KEYS[1], ARGV[1], unpack(rest))"""))
                            .answers("null")
                            .to("SET", "absent", "w", "IFEQ", "v", "PX", "1000")));

    private Profiles() {}

    /** All of them, each by itself. */
    public static List<Profile> all() {
        return List.of(
                ALIBABA_PROXY,
                ALIBABA_OLD_PROXY,
                TENCENT,
                HUAWEI_PROXY,
                ELASTICACHE_SERVERLESS,
                REDIS_ENTERPRISE,
                REDIS_ENTERPRISE_OLD,
                DRAGONFLY,
                GARNET,
                NO_SCRIPTS,
                ALIBABA_WITHOUT_SCRIPTS,
                NO_RIGHT_TO_SCRIPTS,
                TAIR_COMMANDS,
                REDIS_8_4_COMMANDS);
    }

    private static boolean isScriptWithoutKeys(List<String> words) {
        return (is(words, "EVAL") || is(words, "EVALSHA")) && words.size() > 2 && is(words, 2, "0");
    }

    /** It has two forms: {@code CLIENT KILL address} and {@code CLIENT KILL ADDR address}. */
    private static boolean isKillByMoreThanAddress(List<String> words) {
        return isClient(words, "KILL") && words.size() > 3 && !(words.size() == 4 && is(words, 2, "ADDR"));
    }

    private static boolean isClient(List<String> words, String... subcommands) {
        return is(words, "CLIENT")
                && words.size() > 1
                && Arrays.stream(subcommands).anyMatch(words.get(1)::equalsIgnoreCase);
    }

    private static boolean is(List<String> words, String name) {
        return is(words, 0, name);
    }

    private static boolean is(List<String> words, int place, String word) {
        return words.get(place).equalsIgnoreCase(word);
    }

    private static Effect command(Predicate<List<String>> refused) {
        return new Effect.Commands(refused);
    }

    private static Effect commands(String... names) {
        return command(words -> Stream.of(names).anyMatch(words.get(0)::equalsIgnoreCase));
    }

    private static Effect calls(Predicate<Call> refused) {
        return new Effect.Texts(text -> text.calls().stream().anyMatch(refused));
    }

    private static Effect inScripts(String command) {
        return new Effect.Calls("if command == '" + command + "' then return answer end");
    }

    private static String[] eval(String text, String key) {
        return new String[] {"EVAL", text, "1", key};
    }

    private static Draft rule(String name, String source, LocalDate readOn) {
        return new Draft(name, source, readOn, command(words -> false), "", false);
    }

    /** A rule in the making. */
    private record Draft(String name, String source, LocalDate readOn, Effect effect, String answer, boolean verbatim) {

        Draft applies(Effect wanted) {
            return new Draft(name, source, readOn, wanted, answer, verbatim);
        }

        /** The answer in the words of a source. */
        Draft quotes(String text) {
            return new Draft(name, source, readOn, effect, text, true);
        }

        /** An answer whose words were not found. */
        Draft answers(String text) {
            return new Draft(name, source, readOn, effect, text, false);
        }

        Rule to(String... example) {
            return new Rule(name, source, readOn, effect, answer, verbatim, List.of(example));
        }
    }
}
