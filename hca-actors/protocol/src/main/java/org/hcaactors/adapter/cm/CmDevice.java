// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.cm;

/**
 * The adapter, as communication management sees it.
 *
 * @param caGuid its GUID
 * @param targetAckDelay 5 bits: time in which it acknowledges, as a code, see {@link CmTimeouts#nanos}
 * @param firstCommId communication IDs are assigned from the next one on; other
 *     adapters begin elsewhere, and so does the same adapter after a restart: a peer cannot tell its new IDs from old ones
 */
public record CmDevice(long caGuid, int targetAckDelay, int firstCommId) {}
