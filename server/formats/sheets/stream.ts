type Chunks = AsyncGenerator<string | Uint8Array>;

/** A reader that asks for nothing for so long has gone, whatever its connection says. */
const PATIENCE_MS = 60_000;

/**
 * Chunks as an answer's body. The first is made before there is a body, so that what can't be made at all is
 * an ordinary error; each further one when the reader asks for it, and none once it has gone. What goes wrong
 * later reaches `onError` and breaks the body off, for half a list must not look like a whole one.
 */
export async function streamChunks(
  chunks: Chunks,
  onError: (error: unknown) => void,
  patience = PATIENCE_MS,
): Promise<ReadableStream<Uint8Array>> {
  let next = await chunks.next();
  let gone = false;
  let timer: NodeJS.Timeout | undefined;
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        watch(controller);
      },
      async pull(controller) {
        clearTimeout(timer);
        try {
          if (!next.done)
            controller.enqueue(typeof next.value === 'string' ? encoder.encode(next.value) : next.value);
          next = await chunks.next();
          if (gone) return;
          if (next.done) controller.close();
          else watch(controller);
        } catch (error) {
          if (gone) return;
          gone = true;
          onError(error);
          controller.error(new Error('the export broke off')); // its own words would reach the reader
        }
      },
      async cancel() {
        await stop();
      },
    },
    { highWaterMark: 0 },
  );

  function watch(controller: ReadableStreamDefaultController): void {
    timer = setTimeout(() => {
      controller.error(new Error('nobody reads the export'));
      void stop();
    }, patience);
    timer.unref();
  }

  async function stop(): Promise<void> {
    gone = true;
    clearTimeout(timer);
    await chunks.return(undefined);
  }
}
