import { once } from 'node:events';
import { createServer } from 'node:http';
import { DomainError } from '../../shared/errors.ts';
import type { Config } from '../config.ts';

/** @throws DomainError conflict */
export async function requireFreeAddress(address: Pick<Config, 'host' | 'port'>): Promise<void> {
  const server = createServer();
  await once(server.listen(address.port, address.host), 'listening').catch((error) => {
    throw listenError(error, address);
  });
  await once(server.close(), 'close');
}

export function listenError(
  error: NodeJS.ErrnoException,
  { host, port }: Pick<Config, 'host' | 'port'>,
  variableName = 'PORT',
): DomainError {
  const explained = (
    {
      EADDRINUSE: `${variableName}: El puerto ${port} ya está ocupado.`,
      EACCES: `${variableName}: Para el puerto ${port} falta permiso.`,
    } as Record<string, string>
  )[error.code ?? ''];
  return new DomainError('conflict', explained ?? `HOST: «${host}» no es una dirección de esta máquina.`);
}
