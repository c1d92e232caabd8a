#!/bin/sh
# A client of Holdfast's lock server with curl and sed.
#
#   sh holdfast.sh NAME COMMAND...     run a command while the lock NAME is held
#   sh holdfast.sh --events [PREFIX]   show what happens
#
# HOLDFAST_SERVER (http://localhost:7420), HOLDFAST_TOKEN, HOLDFAST_TTL (in seconds, 30) and HOLDFAST_WAIT (60s) configure it.
# Exit codes are those of `holdfast run`: the command's, or 128 and the number of the signal that ended it.
# 64: wrong arguments. 69: the server cannot be reached or has no majority of nodes.
# 75: another client holds the lock, or the server refuses the request. 79: the lease was lost and the command was therefore stopped.
# 126: the command cannot be run. 127: it does not exist.

server=${HOLDFAST_SERVER:-http://localhost:7420}
server=${server%/}
ttl=${HOLDFAST_TTL:-30}
ttl=${ttl%s}
curl=curl
case $ttl in
  '' | *[!0-9]*) echo "HOLDFAST_TTL is '$HOLDFAST_TTL'; it must be a number of seconds" >&2; exit 64 ;;
esac

attached() { # attached CURL-OPTIONS...: runs curl until it or this script ends; a shell that is killed leaves its children behind
  { curl "$@" <&5 5<&- & } 5<&0
  call=$!
  while kill -0 "$call"; do kill -0 $$ || kill "$call"; sleep 1; done > /dev/null 2>&1 3>&- 4>&- &
  wait "$call"
}

ask() { # ask PATH BODY CURL-OPTIONS...: prints the response body and then the status; no argument list has the token
  path=$1 body=$2
  shift 2
  printf 'header = "Authorization: Bearer %s"\n' "${HOLDFAST_TOKEN:-none}" \
    | "$curl" -sS -K - -H 'Content-Type: application/json' -w '\n%{http_code}' "$@" -d "$body" "$server$path"
}

text() { # text NAME: prints a string field of the JSON on standard input
  sed -n 's/.*"'"$1"'":"\([^"]*\)".*/\1/p' | head -n 1
}

number() {
  sed -n 's/.*"'"$1"'":\([0-9]*\).*/\1/p' | head -n 1
}

quoted() { # prints the argument as a JSON string
  printf '%s\n' "$1" | sed 's/[\\"]/\\&/g; s/^/"/; s/$/"/'
}

follow() { # follow CURL-OPTIONS...: reads the events of $prefix
  printf 'header = "Authorization: Bearer %s"\n' "${HOLDFAST_TOKEN:-none}" \
    | attached -sS -K - -G --data-urlencode "prefix=$prefix" "$@" "$server/v1/events"
}

if [ "${1:-}" = --events ]; then
  prefix=${2:-}
  { code=$({ { follow -N -f; echo $? >&3; } | sed -un 's/^data: //p' >&4; } 3>&1); } 4>&1
  [ "$code" = 22 ] || exit "$([ "$code" = 0 ] && echo 0 || echo 69)"
  case $(follow -m 10 -o /dev/null -w '%{http_code}' 2> /dev/null) in # 22 is any refusal: ask which one it is
    400) exit 64 ;;
    5??) exit 69 ;;
    *) exit 75 ;;
  esac
fi
[ $# -ge 2 ] || { sed -n '2,11s/^# \{0,1\}//p' "$0" >&2; exit 64; }
name=$1
shift

# ---- acquire: re-sending a request with the same key returns the same lease

key=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
sent=$(date +%s)
answer=$(curl=attached && ask /v1/leases "{\"lock\":$(quoted "$name"),\"ttl\":\"${ttl}s\",\"wait\":\"${HOLDFAST_WAIT:-60s}\"}" \
  -H "Idempotency-Key: $key" --retry 2 --retry-connrefused) || exit 69
case $answer in
  *'
201') ;;
  *) printf '%s\n' "$answer" | sed 's/"nodes":.*//' | text detail >&2
    case $answer in
      *'
400') exit 64 ;;
      *'
5'??) exit 69 ;;
      *) exit 75 ;;
    esac ;;
esac
id=$(printf '%s' "$answer" | text id)
token=$(printf '%s' "$answer" | number token)

# ---- work, and extend the lease while it runs: the validity counts from when the request was sent, by this machine's clock

valid() { # valid SENT: applies the validity in the answer
  left=$(printf '%s' "$answer" | number remainingMillis)
  [ -n "$left" ] || return 1 # a signal ended it
  left=$((left / 1000))
  deadline=$(($1 + left)) next=$(($1 + left / 3))
}

extend() { # returns 0 if the lease was extended, 1 if the caller may retry, 2 if it is lost
  asked=$(date +%s) || return 1 # a signal ended it
  [ "$asked" -lt "$deadline" ] || return 2
  answer=$(ask "/v1/leases/$id/extend" '{}' --max-time $((deadline - asked)) 2> /dev/null)
  case $(printf '%s' "$answer" | tail -n 1) in
    200) valid "$asked" ;;
    429 | 5?? | 000 | '') return 1 ;;
    *) return 2 ;;
  esac
}

lost() {
  echo "the lock is lost: stopping the command" >&2
  [ -z "${child:-}" ] || kill -TERM "$child" 2> /dev/null
  [ -z "${child:-}" ] || wait "$child"
  exit 79
}

valid "$sent" || lost
if [ "$(date +%s)" -ge "$next" ]; then # after a long wait, the remaining time may be short
  deadline=$(($(date +%s) + ttl)) next=0
  extend || lost
fi
if (: 3<&0) 2> /dev/null; then exec 3<&0; else exec 3< /dev/null; fi # a command in the background has no input of its own
interrupted=
trap '' INT # a terminal sends it to the command too
export HOLDFAST_FENCING_TOKEN="$token"
if env --default-signal=INT true 2> /dev/null; then # a command in the background ignores SIGINT, unless env restores it
  env --default-signal=INT sh -c 'exec "$@"' sh "$@" <&3 3<&- &
  child=$!
else # in a subshell, bash restores it, but dash does not: SIGTERM ends the command
  (trap - INT && exec "$@") <&3 3<&- &
  child=$!
  trap 'interrupted=1; kill -TERM "$child" 2> /dev/null' INT
fi
trap 'kill -TERM "$child" 2> /dev/null' TERM HUP
while kill -0 "$child" 2> /dev/null; do
  if now=$(date +%s) && [ "$now" -ge "$next" ]; then
    extend
    [ $? -ne 2 ] || lost
  fi
  sleep 0.2 2> /dev/null || sleep 1
done
wait "$child"
code=$?
trap '' INT
[ -z "$interrupted" ] || [ "$code" -ne 143 ] || code=130

# ---- release

ask "/v1/leases/$id/release" '{}' --max-time 10 > /dev/null 2>&1 # if it fails, the lease expires after its ttl
exit $code
