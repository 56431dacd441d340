import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import NewPassword from '../../islands/NewPassword.tsx';
import UserEdit, { type UserEditProps } from '../../islands/UserEdit.tsx';

const props: UserEditProps = {
  action: '/admin-users?edit=3',
  back: '/admin-users',
  id: 3,
  values: { username: 'ana', email: '', roles: [2], active: true },
  version: 'v',
  roles: [{ id: 2, rolename: 'Contabilidad' }],
  errors: {},
  asksPassword: false,
  hints: {},
};

describe('as the server sends it', () => {
  it('a new password is empty and read-only: browser or server fills it in', () => {
    const html = renderToStaticMarkup(<NewPassword />);
    expect(html).toMatch(/<input(?=[^>]*name="password")(?=[^>]*readOnly)(?=[^>]*value="")[^>]*>/i);
    expect(html).toContain('placeholder="Se genera al guardar"');
  });

  it('one that exists is shown, and not made again', () => {
    expect(renderToStaticMarkup(<NewPassword value="k3v9x0qa" />)).toContain('value="k3v9x0qa"');
  });

  it('the copy button is for browsers with script, and for passwords that there are', () => {
    expect(renderToStaticMarkup(<NewPassword />)).toMatch(
      /<button[^>]*class="btn needs-script"[^>]*>.*Copiar/,
    );
    expect(renderToStaticMarkup(<UserEdit {...props} />)).not.toContain('Copiar');
    expect(renderToStaticMarkup(<UserEdit {...props} password="k3v9x0qa" />)).toContain('Copiar');
  });

  it('the edit dialog shares no id with the filter of the list under it', () => {
    const html = renderToStaticMarkup(<UserEdit {...props} />);
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const name of ['username', 'sortfield', 'results']) expect(ids).not.toContain(name);
  });
});
