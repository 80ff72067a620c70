// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.scale;

import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Queue pairs to be created.
 *
 * @param queuePairs how many
 * @param laying creates and connects them; the stage has the handles that a program would hold. Called once
 */
public record PlannedQueuePairs(int queuePairs, Supplier<? extends CompletionStage<?>> laying) {}
