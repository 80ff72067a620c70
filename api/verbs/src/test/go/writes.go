// SPDX-License-Identifier: Apache-2.0

// Writes over a loopback of the adapter, while goroutines collect garbage; a nil pointer is recovered from by Go's own handler of SIGSEGV.
package main

// #cgo LDFLAGS: -libverbs
// #include "writes.c"
import "C"

import (
	"fmt"
	"runtime"
	"sync"
)

func collectGarbage(done *sync.WaitGroup) {
	defer done.Done()
	for i := 0; i < 20; i++ {
		_ = make([]byte, 1<<20)
		runtime.GC()
	}
}

func dereferenceNil() (recovered bool) {
	defer func() { recovered = recover() != nil }()
	var nothing *int
	*nothing = 1
	return false
}

func main() {
	var done sync.WaitGroup
	C.open_loopback()
	for i := 0; i < 4; i++ {
		done.Add(1)
		go collectGarbage(&done)
	}
	good := 0
	for i := 0; i < 1000; i++ {
		good += int(C.write_once(C.int(i)))
	}
	done.Wait()
	fmt.Println(good, "writes, recovered:", dereferenceNil())
}
