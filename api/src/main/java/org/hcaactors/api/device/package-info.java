// SPDX-License-Identifier: Apache-2.0
/** Adapters, host processes and contexts; what a model of adapter can do; asynchronous events. */
@NullMarked
package org.hcaactors.api.device;

import org.jspecify.annotations.NullMarked;
