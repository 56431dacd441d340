import { base32 } from '@better-auth/utils/base32';
import { createOTP } from '@better-auth/utils/otp';

export function computeCodeAt(key: string, at: Date): Promise<string> {
  const secret = new TextDecoder().decode(base32.decode(key.replaceAll(' ', '')));
  return createOTP(secret).hotp(Math.floor(at.getTime() / 30_000));
}
