/* Long work of the worker, which listens now and then. */

const LISTENS = 20;

/* Lets questions in that came meanwhile; a timer would wait 4 ms each time. */
export function heard() {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => { port1.close(); resolve(); };
    port2.postMessage(null);
  });
}

/* Returns what a generator returns, null if `stop` tells to leave it unfinished; it is looked at every 20 ms. */
export async function paced(steps, stop) {
  let since = performance.now();
  for (;;) {
    const now = steps.next();
    if (now.done) return now.value;
    if (performance.now() - since < LISTENS) continue;
    await heard();
    if (stop()) {
      steps.return();
      return null;
    }
    since = performance.now();
  }
}
