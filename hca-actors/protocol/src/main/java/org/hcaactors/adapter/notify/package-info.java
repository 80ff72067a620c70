// SPDX-License-Identifier: Apache-2.0
/** AS-notify: threads of host processes that completion queues wake without an interrupt. */
@NullMarked
package org.hcaactors.adapter.notify;

import org.jspecify.annotations.NullMarked;
