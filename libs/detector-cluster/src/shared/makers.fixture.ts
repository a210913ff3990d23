/** A camera's URL with credentials, as a maker's manual or a restreaming server writes it. */
export type UrlForm = (user: string, password: string, host: string) => string;

/** Forms of makers and restreaming servers, each with the credentials in another place or under another name. */
export const urlForms: Readonly<Record<string, UrlForm>> = {
  'user info': (u, p, h) => `rtsp://${u}:${p}@${h}:554/Streaming/Channels/101`,
  'user info, password only': (_, p, h) => `rtsp://:${p}@${h}/live`,
  'user info, user name only': (_, p, h) => `http://${p}@${h}/snap.jpg`,
  'path, underscores': (u, p, h) => `rtsp://${h}:554/user=${u}_password=${p}_channel=1_stream=0.sdp`,
  'path, ampersands': (u, p, h) =>
    `rtsp://${h}:554/user=${u}&password=${p}&channel=1&stream=0.sdp?real_stream`,
  'path, credentials as segments': (u, p, h) => `http://${h}:8080/${u}/${p}/1`,
  'path, credentials with a colon': (u, p, h) => `rtsp://${h}/0/${u}:${p}/main`,
  'path, live and credentials': (u, p, h) => `rtsp://${h}/live/${u}/${p}/ch0`,
  'path, token': (_, p, h) => `rtsp://${h}/live/${p}`,
  'path, token in the file name': (_, p, h) => `http://${h}/hls/${p}.m3u8`,
  'path, matrix parameters': (u, p, h) => `http://${h}/stream;user=${u};pw=${p}`,
  'path, parameter in a segment': (u, p, h) => `rtsp://${h}/av0_0&user=${u}&password=${p}`,
  'path, prefix': (u, p, h) => `rtsp://${h}/cam1/onvif-h264/login-${u}-${p}`,
  'query, user and password': (u, p, h) => `rtsp://${h}/h264?user=${u}&password=${p}`,
  'query, psw': (u, p, h) => `rtsp://${h}/ch0_0.h264?usr=${u}&psw=${p}`,
  'query, pwd': (u, p, h) => `http://${h}/snapshot.cgi?user=${u}&pwd=${p}`,
  'query, loginuse and loginpas': (u, p, h) => `http://${h}/videostream.cgi?loginuse=${u}&loginpas=${p}`,
  'query, usr and pwd': (u, p, h) => `http://${h}/cgi-bin/CGIProxy.fcgi?cmd=snapPicture2&usr=${u}&pwd=${p}`,
  'query, u and p': (u, p, h) => `http://${h}/image.jpg?u=${u}&p=${p}`,
  'query, account and passwd': (u, p, h) => `http://${h}/cgi-bin/encoder?USER=${u}&PWD=${p}&SNAPSHOT`,
  'query, id and pass': (u, p, h) => `rtsp://${h}/live?id=${u}&pass=${p}`,
  'query, rs': (u, p, h) => `http://${h}/cgi-bin/api.cgi?cmd=Snap&channel=0&rs=1&user=${u}&password=${p}`,
  'query, token': (_, p, h) => `http://${h}/stream?token=${p}`,
  'query, signature': (_, p, h) => `https://${h}/image?Expires=1&Signature=${p}`,
  'query, auth in Base64': (u, p, h) =>
    `http://${h}/video?auth=${Buffer.from(`${u}:${p}`).toString('base64')}&x=${p}`,
  'query, session': (_, p, h) => `http://${h}/stream?sid=${p}`,
  'query, jwt': (_, p, h) => `https://${h}/live/main.m3u8?jwt=${p}`,
  'query, without a name': (_, p, h) => `http://${h}/snap.jpg?${p}`,
  'query, in the value of another parameter': (u, p, h) =>
    `http://${h}/proxy?url=rtsp%3A%2F%2F${u}%3A${p}%40camera`,
  'query, double question mark': (u, p, h) => `http://${h}/a?b?user=${u}?password=${p}`,
  fragment: (u, p, h) => `rtsp://${h}/live#user=${u}&password=${p}`,
  'unescaped slash': (u, p, h) => `rtsp://${u}:a/${p}@${h}/live`,
  'unescaped question mark': (u, p, h) => `rtsp://${u}:a?${p}@${h}/live`,
  'unescaped number sign': (u, p, h) => `rtsp://${u}:a#${p}@${h}/live`,
  'no host after the user info': (u, p) => `rtsp://${u}:${p}`,
  'no scheme': (u, p, h) => `${u}:${p}@${h}/live`,
};
