// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.nodes;

import java.util.List;
import java.util.Optional;
import org.hcaactors.judge.sweep.MinimalRun;
import org.hcaactors.judge.sweep.Sweep;

/**
 * Result of a sweep over nodes.
 *
 * @param report totals, equal to those of the same sweep in one JVM
 * @param minimal minimal runs of failing seeds, by seed
 * @param endedEarly why not all seeds ran; empty also if the caller stopped the sweep
 */
public record NodesReport(Sweep.Report report, List<MinimalRun> minimal, Optional<EndedEarly> endedEarly) {}
