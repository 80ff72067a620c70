// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.browser;

/** A colour of a screen, in linear light: each part from 0 to 1. */
record Colour(double red, double green, double blue) {
    /** How people see, by Machado, Oliveira and Fernandes 2009: a matrix on linear light, for the loss of a whole kind of cones. */
    enum KeyMapping {
        FULL(new Colour(1, 0, 0), new Colour(0, 1, 0), new Colour(0, 0, 1)),
        PROTANOPIA(
                new Colour(0.152286, 1.052583, -0.204868),
                new Colour(0.114503, 0.786281, 0.099216),
                new Colour(-0.003882, -0.048116, 1.051998)),
        DEUTERANOPIA(
                new Colour(0.367322, 0.860646, -0.227968),
                new Colour(0.280085, 0.672501, 0.047413),
                new Colour(-0.011820, 0.042940, 0.968881)),
        TRITANOPIA(
                new Colour(1.255528, -0.076749, -0.178779),
                new Colour(-0.078411, 0.930809, 0.147602),
                new Colour(0.004733, 0.691367, 0.303900));

        /** How much of each part of a colour its red, green and blue are seen as. */
        private final Colour red;

        private final Colour green;
        private final Colour blue;

        KeyMapping(Colour red, Colour green, Colour blue) {
            this.red = red;
            this.green = green;
            this.blue = blue;
        }

        Colour of(Colour seen) {
            return new Colour(red.weighed(seen), green.weighed(seen), blue.weighed(seen));
        }
    }

    private double weighed(Colour other) {
        return Math.clamp(red * other.red + green * other.green + blue * other.blue, 0.0, 1.0);
    }

    /** In CIE L*a*b*, white as of sRGB (D65): L from 0 to 100. */
    private record Lab(double light, double a, double b) {}

    /** @param text {@code #rrggbb} */
    static Colour parse(String text) {
        if (!text.matches("#[0-9a-fA-F]{6}")) {
            throw new IllegalArgumentException(text + " is no #rrggbb");
        }
        return new Colour(part(text, 1), part(text, 3), part(text, 5));
    }

    private static double part(String text, int at) {
        double encoded = Integer.parseInt(text.substring(at, at + 2), 16) / 255.0;
        return encoded <= 0.04045 ? encoded / 12.92 : Math.pow((encoded + 0.055) / 1.055, 2.4);
    }

    /** CIE76: 2.3 is what people just notice side by side. */
    double distance(Colour other) {
        Lab one = lab();
        Lab two = other.lab();
        return Math.hypot(Math.hypot(one.light - two.light, one.a - two.a), one.b - two.b);
    }

    /** WCAG 2: from 1 to 21. */
    double contrast(Colour other) {
        double lighter = Math.max(luminance(), other.luminance());
        double darker = Math.min(luminance(), other.luminance());
        return (lighter + 0.05) / (darker + 0.05);
    }

    private double luminance() {
        return 0.2126729 * red + 0.7151522 * green + 0.0721750 * blue;
    }

    private Lab lab() {
        double x = root((0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047);
        double y = root(luminance());
        double z = root((0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883);
        return new Lab(116 * y - 16, 500 * (x - y), 200 * (y - z));
    }

    private static double root(double part) {
        return part > 216.0 / 24389 ? Math.cbrt(part) : (24389.0 / 27 * part + 16) / 116;
    }
}
