import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bouncycastle.bcpg.ArmoredInputStream;
import org.bouncycastle.bcpg.ArmoredOutputStream;
import org.bouncycastle.bcpg.HashAlgorithmTags;
import org.bouncycastle.bcpg.PublicKeyPacket;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.openpgp.PGPEncryptedData;
import org.bouncycastle.openpgp.PGPKeyRingGenerator;
import org.bouncycastle.openpgp.PGPPublicKey;
import org.bouncycastle.openpgp.PGPPublicKeyRing;
import org.bouncycastle.openpgp.PGPSignature;
import org.bouncycastle.openpgp.PGPSignatureList;
import org.bouncycastle.openpgp.PGPUtil;
import org.bouncycastle.openpgp.jcajce.JcaPGPObjectFactory;
import org.bouncycastle.openpgp.operator.jcajce.JcaKeyFingerprintCalculator;
import org.bouncycastle.openpgp.operator.jcajce.JcaPGPContentSignerBuilder;
import org.bouncycastle.openpgp.operator.jcajce.JcaPGPContentVerifierBuilderProvider;
import org.bouncycastle.openpgp.operator.jcajce.JcaPGPDigestCalculatorProviderBuilder;
import org.bouncycastle.openpgp.operator.jcajce.JcaPGPKeyPair;
import org.bouncycastle.openpgp.operator.jcajce.JcePBESecretKeyEncryptorBuilder;

/** The parts of the check of a release that need more than a shell. Run as a source file, with BouncyCastle. */
class ReleaseCheck {

    private static final Pattern COMPONENT = Pattern.compile("\"purl\"\\s*:\\s*\"pkg:maven/[^/]+/([^@\"]+)@([^?\"]+)");

    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "key" -> makeKey(Path.of(arguments[1]), Path.of(arguments[2]));
            case "signatures" -> checkSignatures(Path.of(arguments[1]), Path.of(arguments[2]));
            case "complete" -> checkComplete(Path.of(arguments[1]));
            case "same" -> checkSame(Path.of(arguments[1]), Path.of(arguments[2]));
            case "components" -> checkComponents(Path.of(arguments[1]), Path.of(arguments[2]));
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    /** Makes a key that signs and is thrown away with its folder. */
    private static void makeKey(Path secret, Path published) throws Exception {
        var provider = new BouncyCastleProvider();
        var generator = KeyPairGenerator.getInstance("RSA", provider);
        generator.initialize(3072);
        var pair = new JcaPGPKeyPair(
                PublicKeyPacket.VERSION_4, PGPPublicKey.RSA_GENERAL, generator.generateKeyPair(), new Date(System.currentTimeMillis() - 60_000));
        var digest = new JcaPGPDigestCalculatorProviderBuilder().build().get(HashAlgorithmTags.SHA1);
        var ring = new PGPKeyRingGenerator(
                PGPSignature.POSITIVE_CERTIFICATION,
                pair,
                "Check of a release <nobody@example.com>",
                digest,
                null,
                null,
                new JcaPGPContentSignerBuilder(pair.getPublicKey().getAlgorithm(), HashAlgorithmTags.SHA256),
                new JcePBESecretKeyEncryptorBuilder(PGPEncryptedData.NULL, digest).build(new char[0]));
        try (OutputStream out = new ArmoredOutputStream(Files.newOutputStream(secret))) {
            ring.generateSecretKeyRing().encode(out);
        }
        try (OutputStream out = new ArmoredOutputStream(Files.newOutputStream(published))) {
            ring.generatePublicKeyRing().encode(out);
        }
    }

    /** Each artifact has a signature, and each signature is right. */
    private static void checkSignatures(Path folder, Path published) throws Exception {
        var key = new PGPPublicKeyRing(
                        new ArmoredInputStream(Files.newInputStream(published)), new JcaKeyFingerprintCalculator())
                .getPublicKey();
        int checked = 0;
        for (Path artifact : artifacts(folder)) {
            Path signature = Path.of(artifact + ".asc");
            require(Files.exists(signature), artifact + " has no signature");
            try (InputStream in = PGPUtil.getDecoderStream(Files.newInputStream(signature))) {
                var list = (PGPSignatureList) new JcaPGPObjectFactory(in).nextObject();
                PGPSignature one = list.get(0);
                one.init(new JcaPGPContentVerifierBuilderProvider().setProvider(new BouncyCastleProvider()), key);
                one.update(Files.readAllBytes(artifact));
                require(one.verify(), "the signature of " + artifact + " is wrong");
                checked++;
            }
        }
        require(checked > 0, "nothing is signed");
        System.out.println("signatures: " + checked + " right");
    }

    /** Each jar comes with its sources, documentation and bill of materials, and each POM says what repositories ask. */
    private static void checkComplete(Path folder) throws IOException {
        List<Path> artifacts = artifacts(folder);
        Set<String> names =
                artifacts.stream().map(file -> file.getFileName().toString()).collect(Collectors.toSet());
        for (Path artifact : artifacts) {
            String name = artifact.getFileName().toString();
            if (name.endsWith(".jar") && !name.endsWith("-sources.jar") && !name.endsWith("-javadoc.jar")) {
                String base = name.substring(0, name.length() - ".jar".length());
                for (String other : List.of("-sources.jar", "-javadoc.jar", "-cyclonedx.json", ".pom")) {
                    require(names.contains(base + other), name + " comes without " + base + other);
                }
            }
        }
        for (Path pom : artifacts.stream().filter(file -> file.toString().endsWith(".pom")).toList()) {
            String text = Files.readString(pom);
            boolean inherits = text.contains("<parent>");
            for (String element : List.of("name", "description", "url", "licenses", "developers", "scm")) {
                boolean own = element.equals("name") || element.equals("description");
                require(text.contains("<" + element + ">") || (inherits && !own), pom + " has no " + element);
            }
            require(!text.contains("SNAPSHOT"), pom + " names a snapshot");
        }
        System.out.println("complete: " + names.size() + " artifacts");
    }

    /** Two builds are equal byte by byte. */
    private static void checkSame(Path first, Path second) throws Exception {
        Map<String, String> one = hashes(first);
        Map<String, String> other = hashes(second);
        one.forEach((name, hash) -> System.out.println(hash + " " + other.get(name) + " " + name));
        require(one.equals(other), "the builds differ");
        System.out.println("same: " + one.size() + " artifacts of two builds are equal");
    }

    private static Map<String, String> hashes(Path folder) throws Exception {
        Map<String, String> hashes = new TreeMap<>();
        for (Path artifact : artifacts(folder)) {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(artifact));
            hashes.put(folder.relativize(artifact).toString(), HexFormat.of().formatHex(hash, 0, 8));
        }
        return hashes;
    }

    /** The bill of materials names exactly the jars of the runtime class path. */
    private static void checkComponents(Path bill, Path classPath) throws IOException {
        String text = Files.readString(bill);
        Set<String> listed = new TreeSet<>();
        var component = COMPONENT.matcher(text.substring(text.lastIndexOf("\"components\""), text.lastIndexOf("\"dependencies\"")));
        while (component.find()) {
            listed.add(component.group(1) + "-" + component.group(2) + ".jar");
        }
        Set<String> used = Stream.of(Files.readString(classPath, UTF_8).strip().split(System.getProperty("path.separator")))
                .map(entry -> Path.of(entry).getFileName().toString())
                .collect(Collectors.toCollection(TreeSet::new));
        require(listed.equals(used), "the bill of materials lists " + without(listed, used)
                + " that do not run, and misses " + without(used, listed));
        System.out.println("bill of materials: " + listed.size() + " components, as on the class path");
    }

    private static Set<String> without(Set<String> all, Set<String> some) {
        Set<String> rest = new TreeSet<>(all);
        rest.removeAll(some);
        return rest;
    }

    private static List<Path> artifacts(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().matches(".*\\.(jar|pom|json)")).sorted().toList();
        }
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new IllegalStateException(otherwise);
        }
    }
}
