// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.scale;

import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Queue pairs that are yet to be created.
 *
 * @param queuePairs how many
 * @param laying creates them and makes them ready; the stage has what a program would hold, its handles. Called once
 */
public record PlannedQueuePairs(int queuePairs, Supplier<? extends CompletionStage<?>> laying) {}
