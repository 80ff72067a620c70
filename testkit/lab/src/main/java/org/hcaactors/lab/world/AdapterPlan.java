// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.world;

import java.util.HashMap;
import java.util.Map;
import org.hcaactors.api.device.Profile;
import org.hcaactors.fabric.link.LinkProperties;

/**
 * Profiles and links of the adapters that a world plugs in because a test names them.
 *
 * @param profile the profile of every adapter that is plugged in without one
 * @param link the link of every adapter that has none in {@code links}
 * @param links links by adapter name
 */
public record AdapterPlan(Profile profile, LinkProperties link, Map<String, LinkProperties> links) {
    /** A ConnectX-5 for every adapter, each on a link of 1 us and 100 Gbit/s. */
    public static final AdapterPlan DEFAULT = new AdapterPlan(Profile.CONNECTX_5, World.DEFAULT_LINK, Map.of());

    public AdapterPlan {
        links = Map.copyOf(links);
    }

    /**
     * Returns the profile of that name.
     *
     * @throws IllegalArgumentException if no profile has the name; the message lists the known names
     */
    public static Profile profileNamed(String name) {
        return Profile.find(name)
                .orElseThrow(() -> new IllegalArgumentException("no profile " + name + "; there are "
                        + String.join(
                                ", ", Profile.ALL.stream().map(Profile::name).toList())));
    }

    public AdapterPlan with(Profile other) {
        return new AdapterPlan(other, link, links);
    }

    /** Returns a plan with this link for every adapter that has no link of its own. */
    public AdapterPlan with(LinkProperties other) {
        return new AdapterPlan(profile, other, links);
    }

    /** Returns a plan with this link for the adapter of that name. */
    public AdapterPlan with(String adapter, LinkProperties own) {
        Map<String, LinkProperties> more = new HashMap<>(links);
        more.put(adapter, own);
        return new AdapterPlan(profile, link, more);
    }

    LinkProperties linkOf(String adapter) {
        return links.getOrDefault(adapter, link);
    }
}
