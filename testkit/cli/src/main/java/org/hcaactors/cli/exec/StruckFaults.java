// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.exec;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Effects of the faults and the refusals of a run, by the texts that its processes wrote. One thread.
 *
 * <p>A fault strikes if it does so in one process; a process that was killed has no text.
 */
public final class StruckFaults {
    private static final Pattern FAULT = Pattern.compile("fault (.*): (\\d+) packets?");
    private static final String REFUSED = "refused ";
    private static final Pattern REFUSAL = Pattern.compile(REFUSED + "(\\w+) (\\w+): call (\\d+)");

    private final List<String> lines = new ArrayList<>();
    private final Map<String, Long> packets = new LinkedHashMap<>();
    private final Set<String> refusals = new LinkedHashSet<>();
    private boolean known;
    private boolean lacksText;

    /**
     * Adds the text of a process.
     *
     * @param program name of the program
     */
    public void add(String program, List<String> text) {
        known = true;
        for (String line : text) {
            Matcher fault = FAULT.matcher(line);
            Matcher refusal = REFUSAL.matcher(line);
            if (fault.matches()) {
                long times = Long.parseLong(fault.group(2));
                packets.merge(fault.group(1), times, Long::sum);
                if (times > 0) {
                    lines.add(program + ": " + line);
                }
            } else if (refusal.matches()) {
                refusals.add(refusal.group(1) + ":" + refusal.group(3) + ":" + refusal.group(2));
                lines.add(program + ": " + line);
            } else if (line.startsWith(REFUSED)) {
                lines.add(program + ": " + line);
            }
        }
    }

    /** A process has no text: nothing is known of what struck in it. */
    public void addWithoutText() {
        lacksText = true;
    }

    /** Returns a line for each that struck in a process, and for each function that refused a program's own mistakes. */
    public List<String> lines() {
        return List.copyOf(lines);
    }

    /**
     * Returns the words of each that struck in no process; empty if no process wrote a text, or one did not.
     *
     * @param planned refusals, each as FUNCTION:NUMBER:ERRNO
     */
    public List<String> unstruck(List<String> planned) {
        List<String> all = new ArrayList<>();
        if (known && !lacksText) {
            packets.forEach((words, times) -> {
                if (times == 0) {
                    all.add("the fault \"" + words + "\"");
                }
            });
            planned.stream().filter(each -> !refusals.contains(each)).forEach(each -> all.add("the refusal " + each));
        }
        return List.copyOf(all);
    }
}
