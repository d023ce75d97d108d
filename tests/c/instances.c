/* An instance of each FMU that is named, all at once: instances [LIBRARY RESOURCES GUID]... */

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "fmi2Functions.h"

#define MOST 8

static void ignored(fmi2ComponentEnvironment environment, fmi2String name, fmi2Status status, fmi2String category,
                    fmi2String text, ...) {
    (void)environment, (void)name, (void)category, (void)text;
    if (status > fmi2Warning) printf("status %d\n", (int)status);
}

int main(int count, char **words) {
    static const fmi2CallbackFunctions callbacks = {ignored, calloc, free, NULL, NULL};
    fmi2Component instances[MOST];
    fmi2FreeInstanceTYPE *frees[MOST];
    int n = 0;
    for (; n < MOST && 3 * n + 3 < count; n++) {
        char **of = words + 1 + 3 * n;
        void *library = dlopen(of[0], RTLD_NOW | RTLD_LOCAL);
        fmi2InstantiateTYPE *instantiate = NULL;
        if (library == NULL) {
            printf("%s\n", dlerror());
            return 1;
        }
        *(void **)&instantiate = dlsym(library, "fmi2Instantiate");
        *(void **)&frees[n] = dlsym(library, "fmi2FreeInstance");
        instances[n] = instantiate("one", fmi2CoSimulation, of[2], of[1], &callbacks, fmi2False, fmi2True);
        if (instances[n] == NULL) return 1;
    }
    for (int i = 0; i < n; i++) frees[i](instances[i]);
    printf("%d instances\n", n);
    return 0;
}
