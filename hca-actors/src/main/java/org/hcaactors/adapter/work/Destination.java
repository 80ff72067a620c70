// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

/**
 * Where a request goes that brings its address: checked when it was posted.
 *
 * @param qpNumber of the receiver, 24 bits
 * @param qkey as the caller gave it
 */
public record Destination(DatagramPath path, int qpNumber, int qkey) {}
