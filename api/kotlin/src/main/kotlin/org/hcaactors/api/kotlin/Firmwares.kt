// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.kotlin

import kotlinx.coroutines.future.await
import org.hcaactors.api.device.Adapter
import org.hcaactors.api.firmware.Restart

/**
 * Restarts the adapter with the settings that this kind of restart activates; throws FirmwareException if they cannot be
 * stored.
 */
suspend fun Adapter.startAnew(how: Restart) {
    firmware().restart(how).await()
}
