// An .ico holding one 32 px PNG: two ruled lines and, under them, the doubled line of a balance.
const BASE64 = [
  'AAABAAEAICAAAAEAIACdAQAAFgAAAIlQTkcNChoKAAAADUlIRFIAAAAgAAAAIAgGAAAAc3p69AAAAVJJREFUeJzsl88rRFEUx7/n',
  'de/eTtSMvSTE0PsDKAvNjo3CQikLS/kDpPwBZCGFsmQnf8CkSUzyDxhFsrGw0fMc575Ss3m3N9zenZnms7jdzrn1PZ0fdY9CA8Vw',
  'fJGIygxMEagfDmHwMwHXzHxer9wc/9rJHH3h6ICGPiDCNHKAGVcRotWXyt1jYAya1Gle4gajpUmfJPdCOLEcEB3CA9/MK0pqPQ9P',
  'GG0JACPwhNFWcvbCF6KtbP7S8BBcUL1/SPVZAzja2YYLBmfnUn0BPGPNwNLmFrwGYKudK1q7BN0pyIPuFLR2CWyMFXTmt7dPEZwH',
  'sLfQk/nt5O5bqq99S7B29g4XtG8GOqgHGK9/+Rc66QHRVrKG1eR3OoMmsc12dn3UAlmT9uEJo53shsWwdCnrUtNZ+Kf4Rb1SLSdN',
  '+MXxhpg+kROS+o84pnVzp0aHj/X8BwAA///zQxBQAAAABklEQVQDAEaoa55OyGx4AAAAAElFTkSuQmCC',
].join('');

/** The bytes of /favicon.ico. */
export const FAVICON = Uint8Array.from(Buffer.from(BASE64, 'base64'));
