// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.kotlin

import kotlinx.coroutines.future.await
import org.hcaactors.api.device.Adapter
import org.hcaactors.api.firmware.Restart

/**
 * The adapter starts anew, and what was set counts as far as this kind of start activates it; FirmwareException where that can't be
 * kept.
 */
suspend fun Adapter.startAnew(how: Restart) {
    firmware().restart(how).await()
}
