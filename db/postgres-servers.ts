import { DomainError } from '../shared/errors.ts';

/** postgres://user:password@host:port,host:port/database?… */
const ADDRESS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)([/?#].*)?$/;

/** A name or address, in brackets where it has colons, with or without a port. */
const HOST = /^(\[[\da-f:.]+\]|[^\s:,[\]]+)(:\d{1,5})?$/i;

/**
 * The servers of an address of PostgreSQL, which may name several: the primary and those that may become it.
 * @returns an address of each
 * @throws DomainError invalid where a host is missing or none
 */
export function serversOf(url: string): string[] {
  const [, before, hosts = '', rest = ''] = ADDRESS.exec(url) ?? [];
  const servers = hosts.split(',').map((host) => `${before}${host}${rest}`);
  // Alone it may be left out: then it is this machine, or PGHOST.
  const areHosts = hosts === '' || hosts.split(',').every((host) => HOST.test(host));
  if (before === undefined || !areHosts || !servers.every((server) => URL.canParse(server))) {
    const message =
      'DATABASE_URL: se espera postgres://usuario:contraseña@servidor:puerto/base, con varios servidores separados por comas si los hay.';
    throw new DomainError('invalid', message, { code: 'bad_configuration' });
  }
  return servers;
}

/** Host and port of such an address, as people know a server. */
export const placeOf = (server: string): string => ADDRESS.exec(server)?.[2] ?? '';
