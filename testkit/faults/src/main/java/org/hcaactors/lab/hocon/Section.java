// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.hocon;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigOrigin;
import com.typesafe.config.ConfigOriginFactory;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigResolveOptions;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** An object of a HOCON file with its position. Every getter throws RefusedException for an invalid value. */
public final class Section {
    /** Maximum number of characters of a value in a refusal. */
    private static final int MAX_QUOTED = 80;

    private static final Pattern RATE = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*([KMGT]?)bps");
    private static final String RATE_PREFIXES = "KMGT";

    /** Maximum rate: a million terabits per second. */
    private static final double MAX_RATE = 1e18;

    /** Whole bytes, or any number of a larger unit. */
    private static final Pattern SIZE =
            Pattern.compile("\\d+\\s*(?:[Bb]|bytes?)?|\\d+(?:\\.\\d+)?\\s*[kKMGTPEZYmgtpezy]\\w*");

    /** Maximum time, ten years: so the sum of several still fits a 64-bit clock. */
    public static final Duration MAX_TIME = Duration.ofDays(3_650);

    /** Without environment variables, so that a text has the same meaning on every machine. */
    private static final ConfigResolveOptions WITHOUT_ENVIRONMENT = ConfigResolveOptions.noSystem();

    private final String file;
    private final String path;
    private final ConfigObject keys;

    private Section(String file, String path, ConfigObject keys) {
        this.file = file;
        this.path = path;
        this.keys = keys;
    }

    /** @param file its name in refusals; may be empty */
    public static Section parse(String text, String file) {
        NestingLimits.excess(text).ifPresent(excess -> {
            throw new RefusedException(place(file, excess.line()) + excess.what());
        });
        try {
            Config config = ConfigFactory.parseString(
                    text,
                    ConfigParseOptions.defaults()
                            .setOriginDescription(file.isEmpty() ? "text" : file)
                            .setIncluder(new NoIncludes()));
            return new Section(file, "", config.resolve(WITHOUT_ENVIRONMENT).root());
        } catch (ConfigException bad) {
            ConfigOrigin origin = bad.origin() == null ? ConfigOriginFactory.newSimple() : bad.origin();
            throw new RefusedException(place(file, origin.lineNumber()) + plain(bad, origin));
        }
    }

    /** Returns the first line of the message, without the position, which precedes it. */
    private static String plain(ConfigException bad, ConfigOrigin origin) {
        String message = String.valueOf(bad.getMessage()).lines().findFirst().orElse("the file is not HOCON");
        String where = origin.description() + ": ";
        String what = message.startsWith(where) ? message.substring(where.length()) : message;
        if (what.startsWith("Cannot concatenate")) {
            return "an object { ... } directly follows a word; an = or a comma is missing between them";
        }
        return what.startsWith("expecting a close parentheses")
                ? "a ], } or ) is missing before the end of the file"
                : what;
    }

    private static String place(String file, int line) {
        String at = line < 1 ? "" : Integer.toString(line);
        if (file.isEmpty()) {
            return at.isEmpty() ? "" : "line " + at + ": ";
        }
        return file + (at.isEmpty() ? ": " : ":" + at + ": ");
    }

    /** Returns a refusal of a key's value; if the key is missing, of the object. */
    public RefusedException wrong(String key, String what) {
        ConfigValue value = keys.get(key);
        int line = (value == null ? keys : value).origin().lineNumber();
        return new RefusedException(place(file, line) + name(key) + ": " + what);
    }

    /** Returns a refusal of the object as a whole. */
    public RefusedException wrong(String what) {
        return new RefusedException(
                place(file, keys.origin().lineNumber()) + (path.isEmpty() ? "" : path + ": ") + what);
    }

    private String name(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    /** Returns the path in the file: {@code faults[2].drop}; empty for the whole file. */
    public String path() {
        return path;
    }

    /** Returns the keys, sorted. */
    public List<String> keys() {
        return List.copyOf(new TreeSet<>(keys.keySet()));
    }

    public boolean has(String key) {
        return keys.containsKey(key);
    }

    /** True if the key is present and its value is an object. */
    public boolean isObject(String key) {
        return keys.get(key) instanceof ConfigObject;
    }

    /** Refuses every other key. */
    public void only(String... allowed) {
        for (String key : keys()) {
            if (!Set.of(allowed).contains(key)) {
                throw wrong(
                        key,
                        "unknown key; allowed are "
                                + Arrays.stream(allowed).sorted().collect(Collectors.joining(", ")));
            }
        }
    }

    private ConfigValue value(String key) {
        ConfigValue value = keys.get(key);
        if (value == null) {
            throw wrong(key, "is missing");
        }
        return value;
    }

    private static String shown(ConfigValue value) {
        return switch (value.valueType()) {
            case OBJECT -> "an object";
            case LIST -> "a list";
            case NULL -> "null";
            case STRING -> quoted(String.valueOf(value.unwrapped()));
            case NUMBER, BOOLEAN -> String.valueOf(value.unwrapped());
        };
    }

    private static String quoted(String text) {
        return "\"" + (text.length() <= MAX_QUOTED ? text : text.substring(0, MAX_QUOTED) + " ...") + "\"";
    }

    /** Returns a string, or a number or a word as written. */
    public String text(String key) {
        ConfigValue value = value(key);
        return switch (value.valueType()) {
            case STRING, NUMBER, BOOLEAN -> String.valueOf(value.unwrapped());
            case OBJECT, LIST, NULL -> throw wrong(key, "is " + shown(value) + "; a string is required");
        };
    }

    public long whole(String key, long min, long max) {
        String text = text(key);
        try {
            long number = text.startsWith("0x") ? Long.decode(text) : Long.parseLong(text);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException noNumber) {
            throw wrong(key, shown(value(key)) + " is no integer; " + min + " to " + max + " is allowed");
        }
        throw wrong(key, text + " is out of range; " + min + " to " + max + " is allowed");
    }

    public double fraction(String key) {
        try {
            return Double.parseDouble(text(key));
        } catch (NumberFormatException noNumber) {
            throw wrong(key, shown(value(key)) + " is no number");
        }
    }

    public boolean flag(String key) {
        return switch (text(key)) {
            case "true", "on", "yes" -> true;
            case "false", "off", "no" -> false;
            default -> throw wrong(key, shown(value(key)) + " is not allowed; true and false are allowed");
        };
    }

    /**
     * Returns a duration, {@code 12us} or {@code 1.5 ms}, up to {@link #MAX_TIME}; a number without unit is in milliseconds, as
     * everywhere in HOCON.
     */
    public Duration time(String key) {
        return time(key, MAX_TIME);
    }

    /** Returns a duration up to {@code max}, which is in whole days. */
    public Duration time(String key, Duration max) {
        text(key);
        try {
            Duration time = config().getDuration(ConfigUtil.joinPath(key));
            if (time.isNegative()) {
                throw wrong(key, shown(value(key)) + " is negative; at least 0 is allowed");
            }
            if (time.compareTo(max) > 0) {
                throw wrong(key, shown(value(key)) + " is too long; at most " + max.toDays() + " days are allowed");
            }
            return time;
        } catch (ConfigException | ArithmeticException bad) {
            throw wrong(key, shown(value(key)) + " is no time; a number with ns, us, ms, s, m or h is allowed");
        }
    }

    /** Returns a size, {@code 64KiB} or {@code 1.5 MiB}; a number without unit is in bytes, and whole. */
    public long bytes(String key, long min, long max) {
        if (!SIZE.matcher(text(key).strip()).matches()) {
            throw noSize(key);
        }
        long bytes;
        try {
            bytes = config().getBytes(ConfigUtil.joinPath(key));
        } catch (ConfigException bad) {
            throw noSize(key);
        }
        if (bytes < min || bytes > max) {
            throw wrong(key, bytes + " bytes are out of range; " + min + " to " + max + " is allowed");
        }
        return bytes;
    }

    private RefusedException noSize(String key) {
        return wrong(key, shown(value(key)) + " is no size; a number with B, KiB, MiB or GiB is allowed");
    }

    /** Returns a rate, {@code 100Gbps}, in bits per second. */
    public long rate(String key) {
        Matcher rate = RATE.matcher(text(key));
        if (!rate.matches()) {
            throw wrong(key, shown(value(key)) + " is no rate; a number with bps, Kbps, Mbps, Gbps or Tbps is allowed");
        }
        double unit = 1;
        for (int i = 0;
                i <= RATE_PREFIXES.indexOf(rate.group(2)) && !rate.group(2).isEmpty();
                i++) {
            unit *= 1000;
        }
        double bitsPerSecond = Double.parseDouble(rate.group(1)) * unit;
        if (bitsPerSecond > MAX_RATE) {
            throw wrong(key, shown(value(key)) + " is too fast; at most 1000000 Tbps are allowed");
        }
        return (long) bitsPerSecond;
    }

    /** Returns a constant by its name, or by its name in lower case with dashes. */
    public <E extends Enum<E>> E one(String key, Class<E> kind) {
        if (!has(key)) {
            throw wrong(key, "is missing; allowed are " + all(kind));
        }
        return named(key, text(key), kind);
    }

    /** Returns one of the allowed names; the text may be in lower case with dashes. */
    public String word(String key, List<String> allowed) {
        if (!has(key)) {
            throw wrong(key, "is missing; allowed are " + String.join(", ", allowed));
        }
        String requested = text(key).toUpperCase(Locale.ROOT).replace('-', '_');
        if (!allowed.contains(requested)) {
            throw wrong(key, "there is no " + text(key) + "; allowed are " + String.join(", ", allowed));
        }
        return requested;
    }

    /** Returns the constants of a list or of a single name. */
    public <E extends Enum<E>> Set<E> many(String key, Class<E> kind) {
        return names(key).stream().map(name -> named(key, name, kind)).collect(Collectors.toUnmodifiableSet());
    }

    public <E extends Enum<E>> E named(String key, String name, Class<E> kind) {
        String requested = name.toUpperCase(Locale.ROOT).replace('-', '_');
        return Arrays.stream(kind.getEnumConstants())
                .filter(each -> each.name().equals(requested))
                .findFirst()
                .orElseThrow(() -> wrong(key, "there is no " + name + "; allowed are " + all(kind)));
    }

    private static <E extends Enum<E>> String all(Class<E> kind) {
        return Arrays.stream(kind.getEnumConstants()).map(Enum::name).collect(Collectors.joining(", "));
    }

    /** Returns the words of a list, or of a single word. */
    public List<String> names(String key) {
        ConfigValue value = value(key);
        if (value.valueType() != ConfigValueType.LIST) {
            return List.of(text(key));
        }
        try {
            return config().getStringList(ConfigUtil.joinPath(key));
        } catch (ConfigException bad) {
            throw wrong(key, "a list of strings is required");
        }
    }

    public Section section(String key) {
        ConfigValue value = value(key);
        if (!(value instanceof ConfigObject object)) {
            throw wrong(key, "is " + shown(value) + "; an object { ... } is required");
        }
        return new Section(file, name(key), object);
    }

    /** Returns the objects of a list; a word stands for an empty object with that one key. */
    public List<Section> sections(String key) {
        ConfigValue value = value(key);
        if (!(value instanceof ConfigList list)) {
            throw wrong(key, "is " + shown(value) + "; a list [ ... ] is required");
        }
        List<Section> all = new ArrayList<>();
        for (ConfigValue each : list) {
            String called = name(key) + "[" + all.size() + "]";
            if (each instanceof ConfigObject object) {
                all.add(new Section(file, called, object));
            } else if (each.valueType() == ConfigValueType.STRING) {
                ConfigObject empty = ConfigFactory.empty().root().withOrigin(each.origin());
                ConfigObject word = ConfigFactory.empty()
                        .root()
                        .withValue(String.valueOf(each.unwrapped()), empty)
                        .withOrigin(each.origin());
                all.add(new Section(file, called, word));
            } else {
                throw new RefusedException(place(file, each.origin().lineNumber()) + called + ": is " + shown(each)
                        + "; an object { ... } or a string is required");
            }
        }
        return all;
    }

    private Config config() {
        return keys.toConfig();
    }
}
