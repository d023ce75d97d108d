/* Couples a sine that comes $late macro steps late; prints: $printed */
#include <math.h>
#include <stdio.h>
#include "$header"

int main(void)
{
    static double memory[${macro}_DOUBLES];
    couplant *c;
    double t = 0.0, y = 0.0, y_hat = 0.0;
    if (couplant_open(&c, memory, sizeof memory, &$settings, NULL)$more || couplant_start(c, 0.0)) return 1;
    for (int n = 1; n <= $steps; t = n++ * $step) {
        $calls
    }
    printf("received %.3f, estimated %.3f, true %.3f\n", y, y_hat, $true);
    return couplant_close(c);
}
