// SPDX-License-Identifier: Apache-2.0

//! Writes over a loopback of the adapter, from several threads one after the other.
extern "C" {
    fn open_loopback();
    fn write_once(value: i32) -> i32;
}

fn main() {
    unsafe { open_loopback() };
    let mut good = 0;
    for thread in 0..4 {
        let values = thread * 250..(thread + 1) * 250;
        good += std::thread::spawn(move || values.map(|value| unsafe { write_once(value) }).sum::<i32>())
            .join()
            .expect("a thread that writes");
    }
    println!("{} writes", good);
}
