// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.audit;

/**
 * Where a program posts.
 *
 * @param adapter name of the adapter
 * @param number of the queue pair, or of the shared receive queue
 * @param shared it is a shared receive queue
 * @param capacity requests that it takes, of those that are posted now
 * @param owner whose verb posting is
 */
public record WorkQueue(String adapter, int number, boolean shared, int capacity, VerbOwner owner) {}
