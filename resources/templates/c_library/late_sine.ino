/* Couples a sine that comes $late macro steps late; prints: $printed */
#include <$header>

static double memory[${macro}_DOUBLES];

void setup()
{
    couplant *c;
    couplant_sentence why;
    double t = 0.0, y = 0.0, y_hat = 0.0;
    Serial.begin(115200);
    if (couplant_open(&c, memory, sizeof memory, &$settings, &why)$more) {
        Serial.println(why.text);
        return;
    }
    couplant_start(c, 0.0);
    for (int n = 1; n <= $steps; t = n++ * $step) {
        $calls
    }
    char line[100];
    snprintf(line, sizeof line, "received %.3f, estimated %.3f, true %.3f", y, y_hat, $true);
    Serial.println(line);
}

void loop() {}
