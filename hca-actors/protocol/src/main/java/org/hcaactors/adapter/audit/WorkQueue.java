// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.audit;

/**
 * A queue that a program posts to.
 *
 * @param adapter name of the adapter
 * @param number number of the queue pair or shared receive queue
 * @param shared it is a shared receive queue
 * @param capacity maximum number of posted requests
 * @param owner owner of the posting verb
 */
public record WorkQueue(String adapter, int number, boolean shared, int capacity, VerbOwner owner) {}
