package io.distributedlock.testkit.provider;

import io.distributedlock.testkit.provider.Rule.Effect;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The rules of one provider, in the order in which they are looked at. */
public record Profile(String name, List<Rule> rules) {
    /** One line, so that the numbers of lines in the errors of a script stay as they are. */
    private static final String PROLOGUE = """
            local redis = (function(real)
              local rules = {%s}
              local function ruled(made, raises)
                return function(...)
                  local args = {...}
                  for _, rule in ipairs(rules) do
                    local reply = rule(string.upper(tostring(args[1])), args)
                    if raises and type(reply) == 'table' and reply.err then error(reply) end
                    if reply ~= nil then return reply end
                  end
                  return made(...)
                end
              end
              return setmetatable({call = ruled(real.call, true), pcall = ruled(real.pcall, false)}, {__index = real})
            end)(redis);\s""";

    public Profile {
        rules = List.copyOf(rules);
    }

    /** The rules of both. */
    public Profile with(Profile other) {
        return new Profile(
                name + " with " + other.name,
                Stream.concat(rules.stream(), other.rules.stream()).toList());
    }

    Profile named(String other) {
        return new Profile(other, rules);
    }

    /** What stands before the text of each script, to apply the rules about calls; empty if there are none. */
    String prologue() {
        String checks = rules.stream()
                .filter(rule -> rule.effect() instanceof Effect.Calls)
                .map(Profile::check)
                .collect(Collectors.joining(", "));
        return checks.isEmpty() ? "" : PROLOGUE.replace("\n", " ").replace("%s", checks);
    }

    private static String check(Rule rule) {
        String lua = ((Effect.Calls) rule.effect()).lua();
        return "function(command, args) local answer = {err = [=[" + rule.answer() + "]=]} " + lua.replace("\n", " ")
                + " end";
    }

    @Override
    public String toString() {
        return name;
    }
}
