import type { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { isOutage } from '../../db/explain.ts';
import { Primary } from '../../db/postgres-primary.ts';
import { placeOf, serversOf } from '../../db/postgres-servers.ts';

describe('the servers of an address', () => {
  it.each([
    ['postgres://saldo@uno/saldo', ['postgres://saldo@uno/saldo']],
    [
      'postgresql://saldo:a@b@uno:5432,dos:6432/saldo?sslmode=require',
      [
        'postgresql://saldo:a@b@uno:5432/saldo?sslmode=require',
        'postgresql://saldo:a@b@dos:6432/saldo?sslmode=require',
      ],
    ],
    ['postgres://[::1]:5432,10.0.0.7/x', ['postgres://[::1]:5432/x', 'postgres://10.0.0.7/x']],
    ['postgres:///saldo', ['postgres:///saldo']],
    ['postgres://uno,dos', ['postgres://uno', 'postgres://dos']],
  ])('%s', (url, servers) => {
    expect(serversOf(url)).toEqual(servers);
  });

  it.each([
    'postgres://uno,/saldo',
    'postgres://,uno/saldo',
    'postgres://uno:x,dos/saldo',
    'postgres://uno dos/saldo',
    'postgres://uno:99999/saldo',
    'mysql://uno/saldo',
  ])('%s is none', (url) => {
    expect(() => serversOf(url)).toThrow('varios servidores separados por comas');
  });

  it('are named by host and port', () => {
    expect(placeOf('postgres://saldo:secreto@uno:5432/saldo')).toBe('uno:5432');
  });
});

describe('the primary of several servers', () => {
  type Said = { standby: boolean; timeline: string | null } | undefined;
  const standby: Said = { standby: true, timeline: null };
  const primaryOf = (timeline: string): Said => ({ standby: false, timeline });

  function servers(said: Record<string, Said>) {
    let moves = 0;
    const open = (server: string) => clientSaying(said[server]);
    const primary = new Primary(Object.keys(said), open, () => {
      moves++;
    });
    return { primary, said, moves: () => moves };
  }

  it('is found, and told once that it is another one', async () => {
    const { primary, said, moves } = servers({ uno: primaryOf('00000001'), dos: standby });
    expect([await primary.look(), primary.server, moves()]).toEqual([true, 'uno', 0]);
    said.uno = undefined;
    expect([await primary.look(), primary.server, moves()]).toEqual([false, 'uno', 0]);
    said.dos = primaryOf('00000002');
    expect(await Promise.all([primary.look(), primary.look()])).toEqual([true, true]);
    expect([primary.server, moves()]).toEqual(['dos', 1]);
  });

  it('is never one that another has overtaken', async () => {
    const { primary, said } = servers({ uno: primaryOf('00000001'), dos: primaryOf('00000002') });
    expect([await primary.look(), primary.server]).toEqual([true, 'dos']);
    said.dos = undefined;
    expect([await primary.look(), primary.server]).toEqual([false, 'dos']);
    const refused = await primary
      .verify(clientSaying(said.uno), 'postgres://uno:5432/x', 1000)
      .catch((error) => error);
    expect([refused.code, refused.place, isOutage(refused)]).toEqual(['SALDO_OVERTAKEN', 'uno:5432', true]);
  });

  it('is said where a standby was named instead', async () => {
    const { primary } = servers({ uno: standby });
    const refused = await primary
      .verify(clientSaying(standby), 'postgres://uno/x', 1000)
      .catch((error) => error);
    expect([refused.code, isOutage(refused)]).toEqual(['SALDO_STANDBY', true]);
    await primary.verify(clientSaying(primaryOf('00000001')), 'postgres://uno/x', 1000);
  });
});

function clientSaying(said: object | undefined): Client {
  const client = {
    on: () => client,
    connect: async () => {
      if (!said) throw new Error('no answer');
    },
    query: async () => ({ rows: [said] }),
    end: async () => {},
  };
  return client as unknown as Client;
}
