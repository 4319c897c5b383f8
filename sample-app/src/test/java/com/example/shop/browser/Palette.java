package com.example.shop.browser;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import java.awt.image.BufferedImage;
import java.awt.image.DataBuffer;
import java.awt.image.IndexColorModel;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;

/** The most frequent colours of a picture, 256 at most; others are drawn in the nearest of them. */
final class Palette {

    private static final int MOST = 256;
    private static final int BITS = 8;

    private final int[] colours;

    private Palette(int[] colours) {
        this.colours = colours;
    }

    static Palette of(BufferedImage picture) {
        Map<Integer, Long> counts =
                Arrays.stream(pixels(picture)).boxed().collect(groupingBy(pixel -> pixel, counting()));
        return new Palette(counts.entrySet().stream()
                .sorted(Map.Entry.<Integer, Long>comparingByValue(Comparator.reverseOrder()))
                .limit(MOST)
                .mapToInt(Map.Entry::getKey)
                .toArray());
    }

    BufferedImage applied(BufferedImage picture) {
        int width = picture.getWidth();
        BufferedImage small = new BufferedImage(
                width,
                picture.getHeight(),
                BufferedImage.TYPE_BYTE_INDEXED,
                new IndexColorModel(BITS, colours.length, colours, 0, false, -1, DataBuffer.TYPE_BYTE));
        Map<Integer, Integer> places = new HashMap<>();
        int[] pixels = pixels(picture);
        for (int i = 0; i < pixels.length; i++) {
            int place = places.computeIfAbsent(pixels[i], this::nearest);
            small.getRaster().setSample(i % width, i / width, 0, place);
        }
        return small;
    }

    private int nearest(int pixel) {
        int best = 0;
        for (int i = 1; i < colours.length; i++) {
            if (distance(colours[i], pixel) < distance(colours[best], pixel)) {
                best = i;
            }
        }
        return best;
    }

    private static int distance(int one, int other) {
        int sum = 0;
        for (int shift = 0; shift < 3 * BITS; shift += BITS) {
            int difference = (one >> shift & 0xff) - (other >> shift & 0xff);
            sum += difference * difference;
        }
        return sum;
    }

    private static int[] pixels(BufferedImage picture) {
        int width = picture.getWidth();
        return picture.getRGB(0, 0, width, picture.getHeight(), null, 0, width);
    }
}
