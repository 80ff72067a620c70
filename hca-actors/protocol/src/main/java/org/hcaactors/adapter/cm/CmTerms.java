// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.cm;

import org.hcaactors.fabric.mad.CmMessage.CmPath;
import org.hcaactors.fabric.mad.CmMessage.ConnectionLimits;
import org.hcaactors.fabric.mad.CmMessage.QueuePairOffer;

/**
 * Offer of an end that asks for a connection or accepts one.
 *
 * @param path primary path; used in a request only
 */
public record CmTerms(QueuePairOffer queuePair, ConnectionLimits limits, CmPath path) {}
