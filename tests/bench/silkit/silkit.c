/* As much of the interface in C of SIL Kit (silkit/capi, 4 and 5) as couplant calls. In place of a registry there is a
   folder of sockets, one for each topic: COUPLANT_TEST_SILKIT. What does not fit the headers is refused. */

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#ifdef SILKIT_HEADERS /* the makers' own, to compare with */
#define EXPORT_SilKitAPI
#include "silkit/capi/SilKit.h"
#else
typedef int32_t SilKit_ReturnCode;
typedef struct { uint64_t version; uint64_t _reserved[3]; } SilKit_StructHeader;
typedef struct { const char *key; const char *value; uint32_t kind; } SilKit_Label;
typedef struct { size_t numLabels; SilKit_Label *labels; } SilKit_LabelList;
typedef struct { SilKit_StructHeader structHeader; const char *topic; const char *mediaType; SilKit_LabelList labelList; }
    SilKit_DataSpec;
typedef struct { const uint8_t *data; size_t size; } SilKit_ByteVector;
typedef struct { SilKit_StructHeader structHeader; uint64_t timestamp; SilKit_ByteVector data; } SilKit_DataMessageEvent;
typedef struct SilKit_Participant SilKit_Participant;
typedef struct SilKit_ParticipantConfiguration SilKit_ParticipantConfiguration;
typedef struct SilKit_DataPublisher SilKit_DataPublisher;
typedef struct SilKit_DataSubscriber SilKit_DataSubscriber;
typedef void (*SilKit_DataMessageHandler_t)(void *, SilKit_DataSubscriber *, const SilKit_DataMessageEvent *);
#define SilKit_DataSpec_STRUCT_VERSION 0x534b050201000000u
#define SilKit_DataMessageEvent_STRUCT_VERSION 0x534b050101000000u
#endif

struct SilKit_DataSubscriber {
    int link;
    pthread_t thread;
    void *context;
    SilKit_DataMessageHandler_t handler;
    struct sockaddr_un at;
};
struct SilKit_DataPublisher { int link; struct sockaddr_un to; };
struct SilKit_Participant { SilKit_DataSubscriber *subscriber; SilKit_DataPublisher *publisher; };
struct SilKit_ParticipantConfiguration { char text[64]; };

static _Thread_local char said[256] = "";

static SilKit_ReturnCode refuse(const char *why, const char *what)
{
    snprintf(said, sizeof said, "%s: %s.", why, what ? what : "(null)");
    return 4;
}

const char *SilKit_GetLastErrorString(void) { return said; }

/* Puts the socket of a specification into `at`; the media type is part of its name, as both must match. */
static int place(const SilKit_DataSpec *spec, struct sockaddr_un *at)
{
    if (!spec || spec->structHeader.version != SilKit_DataSpec_STRUCT_VERSION || !spec->topic || !spec->mediaType) return 0;
    if (spec->labelList.numLabels && !spec->labelList.labels) return 0;
    char name[200];
    snprintf(name, sizeof name, "%s,%s", spec->topic, spec->mediaType);
    for (char *c = name; *c; c++) if (*c == '/') *c = '_';
    memset(at, 0, sizeof *at);
    at->sun_family = AF_UNIX;
    return snprintf(at->sun_path, sizeof at->sun_path, "%s/%s", getenv("COUPLANT_TEST_SILKIT"), name) < (int)sizeof at->sun_path;
}

SilKit_ReturnCode SilKit_ParticipantConfiguration_FromString(SilKit_ParticipantConfiguration **out, const char *text)
{
    if (!out || !text || text[0] != '{') return refuse("configuration", text);
    *out = calloc(1, sizeof **out);
    return 0;
}

SilKit_ReturnCode SilKit_ParticipantConfiguration_Destroy(SilKit_ParticipantConfiguration *one)
{
    free(one);
    return 0;
}

SilKit_ReturnCode SilKit_Participant_Create(SilKit_Participant **out, SilKit_ParticipantConfiguration *how, const char *name, const char *uri)
{
    const char *folder = getenv("COUPLANT_TEST_SILKIT");
    if (!out || !how || !name || strchr(name, '/')) return refuse("participant", name);
    if (!uri || strncmp(uri, "silkit://", 9) || !folder || access(folder, W_OK)) return refuse("no registry at", uri);
    *out = calloc(1, sizeof **out);
    return 0;
}

static void *listen_to(void *given)
{
    SilKit_DataSubscriber *one = given;
    uint8_t buffer[65536];
    ssize_t size;
    while ((size = recv(one->link, buffer, sizeof buffer, 0)) > 0) {
        SilKit_DataMessageEvent event;
        memset(&event, 0, sizeof event);
        event.structHeader.version = SilKit_DataMessageEvent_STRUCT_VERSION;
        event.timestamp = 42;
        event.data.data = buffer;
        event.data.size = (size_t)size;
        one->handler(one->context, one, &event);
    }
    return NULL;
}

SilKit_ReturnCode SilKit_DataSubscriber_Create(SilKit_DataSubscriber **out, SilKit_Participant *of, const char *name,
    SilKit_DataSpec *spec, void *context, SilKit_DataMessageHandler_t handler)
{
    SilKit_DataSubscriber *one = calloc(1, sizeof *one);
    if (!out || !of || !name || !handler || !place(spec, &one->at)) return refuse("subscriber", name);
    one->context = context;
    one->handler = handler;
    one->link = socket(AF_UNIX, SOCK_DGRAM, 0);
    if (bind(one->link, (struct sockaddr *)&one->at, sizeof one->at)) return refuse("taken", one->at.sun_path);
    pthread_create(&one->thread, NULL, listen_to, one);
    *out = of->subscriber = one;
    return 0;
}

SilKit_ReturnCode SilKit_DataPublisher_Create(SilKit_DataPublisher **out, SilKit_Participant *of, const char *name,
    SilKit_DataSpec *spec, uint8_t history)
{
    SilKit_DataPublisher *one = calloc(1, sizeof *one);
    if (!out || !of || !name || history > 1 || !place(spec, &one->to)) return refuse("publisher", name);
    one->link = socket(AF_UNIX, SOCK_DGRAM, 0);
    *out = of->publisher = one;
    return 0;
}

SilKit_ReturnCode SilKit_DataPublisher_Publish(SilKit_DataPublisher *one, const SilKit_ByteVector *data)
{
    if (!one || !data || !data->data) return refuse("publish", NULL);
    sendto(one->link, data->data, data->size, MSG_DONTWAIT, (struct sockaddr *)&one->to, sizeof one->to);
    return 0;
}

SilKit_ReturnCode SilKit_Participant_Destroy(SilKit_Participant *one)
{
    if (!one) return refuse("participant", NULL);
    if (one->subscriber) {
        shutdown(one->subscriber->link, SHUT_RDWR);
        pthread_join(one->subscriber->thread, NULL);
        close(one->subscriber->link);
        unlink(one->subscriber->at.sun_path);
    }
    if (one->publisher) close(one->publisher->link);
    free(one->subscriber);
    free(one->publisher);
    free(one);
    return 0;
}
