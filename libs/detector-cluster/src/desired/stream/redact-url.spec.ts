import { describe, expect, it } from '@jest/globals';
import { redactUrl, withoutQuery } from './redact-url.js';

describe('redactUrl', () => {
  it.each([
    ['rtsp://user:pass@host:554/stream', 'rtsp://host:554/stream'],
    ['rtsp://user@host/stream', 'rtsp://host/stream'],
    ['rtsp://user:p@ss@host/stream', 'rtsp://host/stream'],
    ['rtsp://user:pa/ss@host/stream', 'rtsp://host/stream'],
    ['rtsp://user:p#ss@host/stream', 'rtsp://host/stream'],
    ['rtsp://user:p?ss@host/stream', 'rtsp://host/stream'],
    ['ws://host:8000', 'ws://host:8000'],
    ['ws://u:p@host:8000/a?b=c#v2', 'ws://host:8000/a?b=c#v2'],
    ['rtsp://host/path@2x', 'rtsp://host/path@2x'],
    ['//user:pass@host', '//host'],
    ['user:pass@host', 'host'],
    ['http://h/a?X-Amz-Signature=abc&x=1', 'http://h/a?X-Amz-Signature=***&x=1'],
    ['ws://h/?access_token=abc#frag', 'ws://h/?access_token=***#frag'],
    ['rtsp://h/?user=a&password=b;c', 'rtsp://h/?user=a&password=***;c'],
    ['rtsp://h/?user=a&pw=b&channel=1', 'rtsp://h/?user=a&pw=***&channel=1'],
    ['http://h/m?sv=2&sig=abc%3D&key=1', 'http://h/m?sv=2&sig=***&key=***'],
    ['http://h/m?AWSAccessKeyId=a&auth=b', 'http://h/m?AWSAccessKeyId=***&auth=***'],
    ['http://h/m?keyframe=1&design=2', 'http://h/m?keyframe=1&design=2'],
    ['', ''],
    ['nonsense', 'nonsense'],
  ])('%s', (url, expected) => {
    expect(redactUrl(url)).toBe(expected);
  });
});

describe('withoutQuery', () => {
  it.each([
    ['https://s3/model.mpta?X-Amz-Signature=abc', 'https://s3/model.mpta'],
    ['https://s3/model.mpta#x?y', 'https://s3/model.mpta'],
    ['https://s3/model.mpta', 'https://s3/model.mpta'],
  ])('%s', (url, expected) => {
    expect(withoutQuery(url)).toBe(expected);
  });
});
