import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AppContext } from './session.ts';

/** As long, and as much, as a client may go on sending after its answer. */
const LINGER_MS = 500;
const LINGER_BYTES = 64 * 1024 * 1024;

/**
 * The answer to a body that is not read ends its connection: what is left of the body would be taken for the
 * next request. Closed at once, with bytes unread, the answer would be lost on its way (RFC 9112, 9.6), so
 * after its end what still comes is read for a moment and thrown away.
 */
export function closesConnection(c: AppContext): void {
  const { incoming, outgoing } = (c.env ?? {}) as { incoming?: IncomingMessage; outgoing?: ServerResponse };
  if (incoming && incoming.httpVersionMajor > 1) return; // there each request has a stream of its own
  c.header('Connection', 'close');
  if (!incoming || !outgoing || incoming.complete) return;
  const { socket } = incoming;
  const destroy = () => socket.destroy();
  // Node ends a connection with this once its last answer has been handed over.
  socket.destroySoon = () => {
    socket.end();
    let left = LINGER_BYTES;
    incoming.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) destroy();
    });
    incoming.once('end', destroy).resume();
    const late = setTimeout(destroy, LINGER_MS);
    socket.once('close', () => clearTimeout(late));
  };
}
