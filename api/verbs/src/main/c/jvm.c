/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "jvm.h"

#include <dlfcn.h>
#include <errno.h>
#include <jni.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "access.h"
#include "channel.h"
#include "context.h"
#include "crash.h"
#include "enter.h"
#include "export.h"
#include "faults.h"
#include "inherited.h"
#include "objects.h"
#include "own_thread.h"
#include "places.h"
#include "refusal.h"

enum {
	BOOT_STACK = 8 << 20,
	OPTIONS_MAX = 64
};

int jvm_state;
struct upcalls upcalls;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static const char *const fixed_options[] = {
#include "jvm_options.h"
};

static struct routines routines = {
	.completion_event = completion_event,
	.async_event = async_event,
	.load = access_load,
	.store = access_store,
	.compare_and_swap8 = access_compare_and_swap8,
	.compare_and_swap4 = access_compare_and_swap4,
	.load8 = access_load8,
	.load4 = access_load4,
	.mapped = access_mapped,
	.store8 = access_store8,
	.store4 = access_store4,
	.crash_await = crash_await,
	.crash_written = crash_written,
	.writable = access_writable,
};

void complain(const char *format, ...)
{
	char line[1024];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
	fprintf(stderr, "hca-verbs: %s\n", line);
}

struct options {
	JavaVMOption all[OPTIONS_MAX];
	int count;
};

static void add_option(struct options *options, char *option)
{
	if (option && options->count < OPTIONS_MAX)
		options->all[options->count++].optionString = option;
}

/* What options are made of stays allocated: the JVM may keep it. */
static int collect_options(struct options *options, const char *home_path)
{
	const char *more = getenv("HCA_VERBS_JVM_OPTIONS");
	char *path = place_class_path(home_path);
	char *rest;

	if (!path) {
		complain("no jars in %s/jars, and HCA_VERBS_CLASSPATH is not set", home_path);
		return ENOSYS;
	}
	add_option(options, path);
	for (size_t i = 0; i < sizeof(fixed_options) / sizeof(*fixed_options); i++)
		add_option(options, (char *)fixed_options[i]);
	add_option(options, place_cache(home_path));
	for (char *word = more ? strtok_r(strdup(more), " ", &rest) : NULL; word; word = strtok_r(NULL, " ", &rest))
		add_option(options, word);
	return 0;
}

typedef jint (*create_jvm)(JavaVM **vm, void **env, void *arguments);

static create_jvm find_jvm(const char *java)
{
	char path[PLACE_BYTES + 32];
	create_jvm create;
	void *library;

	snprintf(path, sizeof(path), "%s/lib/server/libjvm.so", java);
	library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
	if (!library) {
		complain("no JVM: %s", dlerror());
		return NULL;
	}
	create = (create_jvm)dlsym(library, "JNI_CreateJavaVM");
	if (!create)
		complain("no JVM in %s", path);
	return create;
}

/* Runs Start.start, which fills in the upcalls. 0 or an errno, after a message. */
static int start_java(JNIEnv *env)
{
	jclass start = (*env)->FindClass(env, "org/hcaactors/verbs/Start");
	jmethodID method = start ? (*env)->GetStaticMethodID(env, start, "start", "(JJJ)I") : NULL;
	jint error = ENOSYS;

	if (method)
		error = (*env)->CallStaticIntMethod(env, start, method, (jlong)(uintptr_t)&upcalls, (jlong)(uintptr_t)&routines,
						    (jlong)CALLS_DIGEST);
	if ((*env)->ExceptionCheck(env)) {
		(*env)->ExceptionDescribe(env);
		error = error ? error : ENODEV;
	}
	if (error == EPROTO)
		complain("the library and the jars are not of one build");
	else if (error)
		complain("the adapter does not start: %s", strerror(error));
	return error;
}

/* The JVM of the process, once there is one. */
static JavaVM *java_vm;

#define SIGNAL_VARIABLE "_JAVA_SR_SIGNUM"
#define TEXT(number) #number
#define TEXT_OF(macro) TEXT(macro)

static int boot(void)
{
	struct options options = { .count = 0 };
	JavaVMInitArgs arguments = { .version = JNI_VERSION_10, .ignoreUnrecognized = JNI_FALSE };
	char path[PLACE_BYTES];
	char java[PLACE_BYTES];
	create_jvm create;
	JavaVM *vm;
	JNIEnv *env;
	bool own_signal;
	jint created;
	int error;

	if (!place_home(path, sizeof(path))) {
		complain("the library does not find its own folder");
		return ENOSYS;
	}
	if (!place_java(path, java, sizeof(java))) {
		complain("no Java: set HCA_VERBS_JAVA_HOME to the folder of a JDK 25");
		return ENOSYS;
	}
	create = find_jvm(java);
	if (!create)
		return ENOSYS;
	error = collect_options(&options, path);
	if (error)
		return error;
	arguments.options = options.all;
	arguments.nOptions = options.count;
	enter_prepare();
	faults_begin();
	refusals_begin();
	/* The JVM wants a signal for itself, by default SIGUSR2, which is the program's. */
	own_signal = !getenv(SIGNAL_VARIABLE) && !setenv(SIGNAL_VARIABLE, TEXT_OF(JVM_SIGNAL), 1);
	created = create(&vm, (void **)&env, &arguments);
	if (own_signal)
		unsetenv(SIGNAL_VARIABLE);
	if (created != JNI_OK) {
		complain("the JVM does not start");
		return ENOSYS;
	}
	java_vm = vm;
	error = faults_protect(java);
	if (error) {
		complain("no handler for faults of memory: %s", strerror(error));
		return error;
	}
	error = start_java(env);
	inherited_not();
	return error;
}

static int boot_error;

static void change(int state)
{
	pthread_mutex_lock(&lock);
	__atomic_store_n(&jvm_state, state, __ATOMIC_RELEASE);
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

/* Java writes what it recorded; no call goes there after it. */
static void finish(void)
{
	int64_t words[1] = { 0 };

	if (jvm_state != JVM_RUNS)
		return;
	if (enter_call(FINISH_CALL, words) && getenv("HCA_VERBS_REPORT"))
		complain("no report is written; does a handler of a signal call exit() in the middle of a post or a poll?");
	change(JVM_ENDED);
}

/*
 * The first thread of the JVM, which stays: the JVM may not like to see it go. What is registered last is called first at exit: `finish`
 * needs the JVM, whose library registered its own end when it was loaded.
 */
static void *boot_thread(void *nothing)
{
	boot_error = boot();
	if (!boot_error)
		atexit(finish);
	change(boot_error ? JVM_FAILED : JVM_RUNS);
	while (!boot_error)
		pause();
	return nothing;
}

/* A child has no thread of the JVM, started or starting. */
static struct JNIInvokeInterface_ child_functions;

static jint detach_nothing(JavaVM *vm UNUSED)
{
	return JNI_OK;
}

/*
 * When the thread that forked ends, the JVM detaches it, as it entered Java: in the child that could wait for a lock which another
 * thread of the parent held. The JVM calls through this table, so there is nothing to detach there.
 */
static void forked(void)
{
	if (java_vm) {
		child_functions = **java_vm;
		child_functions.DetachCurrentThread = detach_nothing;
		*java_vm = &child_functions;
	}
	if (jvm_state == JVM_RUNS || jvm_state == JVM_NONE)
		jvm_state = JVM_FORKED;
	objects_forked();
}

int jvm_start(void)
{
	static bool asked;
	int error;

	if (jvm_state == JVM_RUNS)
		return 0;
	if (jvm_state == JVM_FORKED || jvm_state == JVM_ENDED)
		return EIO;
	pthread_mutex_lock(&lock);
	if (!asked) {
		asked = true;
		pthread_atfork(NULL, NULL, forked);
		error = own_thread_start(boot_thread, BOOT_STACK);
		if (error) {
			boot_error = error;
			jvm_state = JVM_FAILED;
		}
	}
	while (jvm_state == JVM_NONE)
		pthread_cond_wait(&changed, &lock);
	error = boot_error;
	pthread_mutex_unlock(&lock);
	return error;
}
