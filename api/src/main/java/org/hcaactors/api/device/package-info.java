// SPDX-License-Identifier: Apache-2.0
/** Adapters and their profiles, host processes, device contexts, protection domains, and asynchronous events. */
@NullMarked
package org.hcaactors.api.device;

import org.jspecify.annotations.NullMarked;
