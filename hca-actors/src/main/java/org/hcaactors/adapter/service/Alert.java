// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.service;

/** What an adapter may have to tell an object that it knows by number. */
public sealed interface Alert {
    /** The adapter is in error, and nothing on it works any more. */
    record AdapterFailed() implements Alert {}
}
