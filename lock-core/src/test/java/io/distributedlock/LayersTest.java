package io.distributedlock;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static io.distributedlock.ModuleClasses.BASE;
import static io.distributedlock.ModuleClasses.MAIN;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.distributedlock.spi.UpwardArrow;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The rooms of this module and the direction of the arrows between them. The package of the API holds three layers: values, which know nothing
 * else; contracts, which name values and the store SPI; and facades, which are classes on top of the client.
 */
class LayersTest {

    private static final Set<String> CONTRACTS = Set.of("LockClient", "LockClientBuilder", "LockMonitor");
    private static final Set<String> FACADES = Set.of("LockTemplate", "LockContext", "SegmentedLock");

    /** Each layer, and what it may know of this module beside itself. */
    private static final Map<String, List<String>> MAY_KNOW = new LinkedHashMap<>();

    static {
        MAY_KNOW.put("values", List.of());
        MAY_KNOW.put("spi", List.of("values"));
        MAY_KNOW.put("contracts", List.of("values", "spi"));
        MAY_KNOW.put("internal.support", List.of("values", "spi"));
        MAY_KNOW.put("internal.time", List.of("internal.support"));
        MAY_KNOW.put("internal.event", List.of("values", "internal.time", "internal.support"));
        MAY_KNOW.put("internal.store", List.of("values", "spi", "internal.time", "internal.event", "internal.support"));
        MAY_KNOW.put(
                "internal.lease",
                List.of("values", "spi", "internal.store", "internal.event", "internal.time", "internal.support"));
        MAY_KNOW.put(
                "internal.renewal",
                List.of(
                        "values",
                        "spi",
                        "internal.lease",
                        "internal.store",
                        "internal.event",
                        "internal.time",
                        "internal.support"));
        MAY_KNOW.put(
                "internal.acquire",
                List.of(
                        "values",
                        "spi",
                        "internal.lease",
                        "internal.store",
                        "internal.event",
                        "internal.time",
                        "internal.support"));
        MAY_KNOW.put("internal.policy", List.of("values", "internal.lease", "internal.time", "internal.support"));
        MAY_KNOW.put(
                "internal.client",
                List.of(
                        "values",
                        "spi",
                        "contracts",
                        "internal.acquire",
                        "internal.renewal",
                        "internal.policy",
                        "internal.lease",
                        "internal.store",
                        "internal.event",
                        "internal.time",
                        "internal.support"));
        MAY_KNOW.put("facades", List.of("values", "contracts", "internal.client"));
        MAY_KNOW.put("memory", List.of("values", "spi"));
        MAY_KNOW.put("quorum", List.of("values", "spi", "internal.time"));
        MAY_KNOW.put("redis.script", List.of("values", "spi"));
        MAY_KNOW.put("redis.connection", List.of("values", "spi", "redis.script"));
        MAY_KNOW.put("redis.pubsub", List.of("values", "spi", "redis.script"));
        MAY_KNOW.put("redis.listing", List.of("values", "spi", "redis.script"));
        MAY_KNOW.put("redis.server", List.of("values", "spi", "internal.support", "redis.script"));
        MAY_KNOW.put(
                "redis",
                List.of(
                        "values",
                        "spi",
                        "internal.support",
                        "redis.script",
                        "redis.connection",
                        "redis.pubsub",
                        "redis.listing",
                        "redis.server"));
        MAY_KNOW.put("reactive", List.of("values", "contracts", "facades"));
    }

    @Test
    void eachLayerKnowsOnlyTheLayersBelowIt() {
        assertThat(upwardArrows(MAIN)).isEmpty();
        Set<String> layers = MAIN.stream().map(LayersTest::layerOf).collect(Collectors.toSet());
        assertThat(layers).isEqualTo(MAY_KNOW.keySet());
    }

    @Test
    void anArrowUpwardsIsFound() {
        JavaClasses violating = new ClassFileImporter().importClasses(UpwardArrow.class);
        assertThat(upwardArrows(violating)).hasSize(1).first().asString().contains("UpwardArrow", "LockClient");
    }

    private static List<String> upwardArrows(JavaClasses from) {
        return from.stream()
                .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                .filter(arrow -> arrow.getTargetClass().getPackageName().startsWith(BASE))
                .filter(arrow -> !isAFactory(arrow))
                .filter(arrow -> !mayKnow(layerOf(arrow.getOriginClass()), layerOf(arrow.getTargetClass())))
                .map(arrow -> layerOf(arrow.getOriginClass()) + " -> " + layerOf(arrow.getTargetClass()) + ": "
                        + arrow.getOriginClass().getName() + " -> "
                        + arrow.getTargetClass().getName())
                .distinct()
                .sorted()
                .toList();
    }

    /** The factories of the API, the only places of it that name an implementation. */
    private static boolean isAFactory(Dependency arrow) {
        String target = layerOf(arrow.getTargetClass());
        return switch (arrow.getOriginClass().getSimpleName()) {
            case "LockClient" -> target.equals("internal.client");
            case "TtlPolicy" -> target.equals("internal.policy");
            default -> false;
        };
    }

    private static boolean mayKnow(String layer, String other) {
        return layer.equals(other) || MAY_KNOW.getOrDefault(layer, List.of()).contains(other);
    }

    private static String layerOf(JavaClass type) {
        String room = type.getPackageName().substring(BASE.length());
        if (!room.isEmpty()) {
            return room.substring(1);
        }
        String name = topLevel(type).getSimpleName();
        return CONTRACTS.contains(name) ? "contracts" : FACADES.contains(name) ? "facades" : "values";
    }

    @Test
    void theDriverIsKnownInTheRedisRoomsOnly() {
        noClasses()
                .that()
                .resideOutsideOfPackage(BASE + ".redis..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.lettuce..", "io.netty..")
                .check(MAIN);
    }

    @Test
    void noSignatureOfTheApiNamesAnInternalType() {
        List<String> leaks = MAIN.stream()
                .filter(type -> !type.getPackageName().contains(".internal"))
                .filter(type -> type.getModifiers().contains(com.tngtech.archunit.core.domain.JavaModifier.PUBLIC))
                .flatMap(type ->
                        Stream.<JavaCodeUnit>concat(type.getMethods().stream(), type.getConstructors().stream()))
                .filter(unit -> unit.getModifiers().stream()
                        .anyMatch(modifier -> modifier.name().equals("PUBLIC")
                                || modifier.name().equals("PROTECTED")))
                .filter(unit -> Stream.concat(unit.getRawParameterTypes().stream(), Stream.of(unit.getRawReturnType()))
                        .anyMatch(type -> type.getPackageName().contains(".internal")))
                .map(JavaCodeUnit::getFullName)
                .sorted()
                .toList();
        assertThat(leaks).isEmpty();
    }

    @Test
    void noCycleHasMoreThanFourTypes() {
        List<Set<String>> cycles = cycles(MAIN);
        String largest = cycles.isEmpty() ? "none" : cycles.get(0).toString();
        System.out.println("largest cycle of types: "
                + (cycles.isEmpty() ? 0 : cycles.get(0).size()) + " " + largest);
        assertThat(cycles).allSatisfy(cycle -> assertThat(cycle).hasSizeLessThanOrEqualTo(4));
    }

    /** The strongly connected groups of top-level types (Tarjan, 1972), the largest first. */
    private static List<Set<String>> cycles(JavaClasses from) {
        Map<String, Set<String>> arrows = new HashMap<>();
        for (JavaClass type : from) {
            Set<String> targets = arrows.computeIfAbsent(topLevel(type).getName(), name -> new TreeSet<>());
            type.getDirectDependenciesFromSelf().stream()
                    .map(arrow -> topLevel(arrow.getTargetClass().getBaseComponentType()))
                    .filter(target -> target.getPackageName().startsWith(BASE))
                    .forEach(target -> targets.add(target.getName()));
        }
        return new StronglyConnected(arrows).groups();
    }

    private static JavaClass topLevel(JavaClass type) {
        JavaClass top = type;
        while (top.getEnclosingClass().isPresent()) {
            top = top.getEnclosingClass().get();
        }
        return top;
    }

    private static final class StronglyConnected {

        private final Map<String, Set<String>> arrows;
        private final Map<String, Integer> numbers = new HashMap<>();
        private final Map<String, Integer> lowest = new HashMap<>();
        private final Deque<String> open = new ArrayDeque<>();
        private final List<Set<String>> groups = new ArrayList<>();

        StronglyConnected(Map<String, Set<String>> arrows) {
            this.arrows = arrows;
        }

        List<Set<String>> groups() {
            arrows.keySet().stream()
                    .sorted()
                    .filter(name -> !numbers.containsKey(name))
                    .forEach(this::visit);
            groups.sort(
                    Comparator.comparing((Set<String> group) -> group.size()).reversed());
            return groups;
        }

        private void visit(String name) {
            numbers.put(name, numbers.size());
            lowest.put(name, numbers.get(name));
            open.push(name);
            for (String next : arrows.getOrDefault(name, Set.of())) {
                if (!numbers.containsKey(next)) {
                    visit(next);
                    lowest.merge(name, lowest.get(next), Math::min);
                } else if (open.contains(next)) {
                    lowest.merge(name, numbers.get(next), Math::min);
                }
            }
            if (lowest.get(name).equals(numbers.get(name))) {
                Set<String> group = new TreeSet<>();
                String member;
                do {
                    member = open.pop();
                    group.add(member);
                } while (!member.equals(name));
                if (group.size() > 1) {
                    groups.add(group);
                }
            }
        }
    }
}
