-------------------------------- MODULE Lock --------------------------------
(***************************************************************************)
(* One lock on one Redis: clients that ask, wait, renew and release, and a *)
(* network that delivers requests and replies late or never. README.md     *)
(* maps each step to the code.                                             *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets, TLC

CONSTANTS Clients,  \* each is a process with one caller
          Rounds,   \* how many acquisitions each client makes
          First,    \* the commands that an acquisition may begin with: "set", "acquire"
          Releases, \* the commands that a release may begin with: "delete", "release"
          Tries,    \* how often one acquisition asks the store
          Extends,  \* how often one hold is extended
          Draws,    \* whether holders draw a token
          Forgets,  \* whether an administrator deletes the lock, once
          Ttl,      \* the length of a lease
          Wait,     \* how long a call waits for another holder; a command timeout is 1
          Delays,   \* how many messages may be late or lost; the others arrive before the clock goes on, in any order
          Late,     \* how late a message may be; one that has not arrived by then is lost
          Horizon,  \* when the clock stops
          Mistake   \* a mistake that is planted, or "none"

VARIABLES now,      \* the clock of all
          store,    \* what Redis has: the lock with its mark, its queue, the fence counter
          net,      \* messages under way
          call,     \* of each client: its present acquisition
          cleanup,  \* claims without a holder that the clients release again and again
          delays,   \* how many messages may still be delayed
          seen      \* what no part of the system knows: the truth that answers are compared with

vars == <<now, store, net, call, cleanup, delays, seen>>

NoOne == <<"none", 0>>
\* 0001: an owner belongs to one acquisition.
Owner(c) == <<c, IF Mistake = "one owner for a client" THEN 1 ELSE call[c].n>>
Owners == {NoOne} \cup (Clients \X (1..Rounds))
Max(a, b) == IF a > b THEN a ELSE b
Busy == {"asking", "waiting"}
Dead(o) == \A c \in Clients : call[c].at = "idle" \/ Owner(c) # o

Idle(n) == [n |-> n, at |-> "idle", begun |-> 0, sent |-> 0, tries |-> 0, lag |-> 0, deadline |-> 0,
            extends |-> 0, drew |-> FALSE, unsure |-> FALSE]

Init == /\ now = 0
        /\ store = [owner |-> NoOne, mark |-> FALSE, end |-> 0, queue |-> <<>>, counter |-> 0]
        /\ net = {}
        /\ call = [c \in Clients |-> Idle(0)]
        /\ cleanup = {}
        /\ delays = Delays
        /\ seen = [blocked |-> {}, released |-> {}, taken |-> {}, hold |-> [o \in Owners |-> 0], count |-> 0,
                   drawn |-> 0, grows |-> TRUE, lie |-> FALSE]

Ask(kind, o) == [to |-> "store", kind |-> kind, owner |-> o, born |-> now, late |-> FALSE]
Reply(m, answer, value) ==
    [to |-> "client", kind |-> m.kind, owner |-> m.owner, born |-> now, late |-> FALSE, asked |-> m.born, answer |-> answer,
     value |-> value]
\* Whether nothing else of this owner can still arrive. The client knows it: commands on one connection arrive in their
\* order, and it has a broken connection dropped on the server before it counts an answer (0005).
Settles(m) == IF \E r \in net : r.to = "store" /\ r.owner = m.owner /\ r # m THEN 0 ELSE 1
\* When a call has ended: only the clean-up reads what is still on its way to it.
Unread(m) == m.to = "client" /\ m.kind # "release"
Granted(o) == [to |-> "client", kind |-> "message", owner |-> o, born |-> now, late |-> FALSE, asked |-> now, answer |-> "granted",
               value |-> 0]

-----------------------------------------------------------------------------
(* What Redis does with one request: the new store, and what it sends.     *)

Without(q, o) == SelectSeq(q, LAMBDA e : e.owner # o)
Behind(q, hold) == [i \in 1..Len(q) |-> [owner |-> q[i].owner, behind |-> hold]]
Given(s, o, mark) == [s EXCEPT !.owner = o, !.mark = mark, !.end = now + Ttl]
Freed(s) == [s EXCEPT !.owner = NoOne, !.mark = FALSE, !.end = 0]

\* SET lock owner NX PX ttl
Set(s, m) == IF s.owner = NoOne THEN [store |-> Given(s, m.owner, FALSE), out |-> {Reply(m, "granted", Ttl)}]
             ELSE [store |-> s, out |-> {Reply(m, "nil", 0)}]

\* acquire.lua
Acquire(s, m) ==
    LET o == m.owner
        left == [s EXCEPT !.queue = Without(s.queue, o)]
        queued == \E i \in 1..Len(s.queue) : s.queue[i].owner = o
    IN  IF s.owner = NoOne THEN [store |-> Given(left, o, left.queue # <<>>), out |-> {Reply(m, "granted", Ttl)}]
        ELSE IF s.owner = o THEN [store |-> left, out |-> {Reply(m, "mine", s.end - now)}]
        ELSE [store |-> [s EXCEPT !.mark = TRUE,
                                  !.queue = IF queued THEN @ ELSE Append(@, [owner |-> o, behind |-> seen.count])],
              out |-> {Reply(m, "refused", 0)}]

\* DELIFEQ, DELEX .. IFEQ, or the first lines of release_fast.lua
Delete(s, m) ==
    IF s.owner = m.owner /\ (~s.mark \/ Mistake = "the mark is ignored")
    THEN [store |-> Freed(s), out |-> {Reply(m, "done", Settles(m))}]
    ELSE [store |-> s, out |-> {Reply(m, "no", 0)}]

\* release.lua with grant_next.lua
Release(s, m) ==
    LET left == [s EXCEPT !.queue = Without(s.queue, m.owner)]
        next == Head(left.queue).owner
    IN  IF s.owner # m.owner /\ Mistake # "a plain DEL at release"
        THEN [store |-> left, out |-> {Reply(m, IF s.owner = NoOne THEN "absent" ELSE "other", Settles(m))}]
        ELSE IF left.mark /\ left.queue # <<>>
        THEN [store |-> [Given(left, next, TRUE) EXCEPT !.queue = Behind(Tail(left.queue), seen.count + 1)],
              out |-> {Reply(m, "done", Settles(m)), Granted(next)}]
        ELSE [store |-> Freed(left), out |-> {Reply(m, "done", Settles(m))}]

\* extend.lua, batch.lua: a renewal, and the stretch of a probation lease
Extend(s, m) ==
    IF s.owner = m.owner
    THEN LET end == Max(s.end, now + Ttl)
         IN  [store |-> [s EXCEPT !.end = end], out |-> {Reply(m, "left", end - now)}]
    ELSE IF Mistake = "a renewal writes the key"
    THEN [store |-> Given(s, m.owner, s.mark), out |-> {Reply(m, "left", Ttl)}]
    ELSE [store |-> s, out |-> {Reply(m, "gone", 0)}]

\* draw_token.lua
Draw(s, m) ==
    IF s.owner = m.owner \/ Mistake = "a token is drawn without comparing"
    THEN [store |-> [s EXCEPT !.counter = @ + 1], out |-> {Reply(m, "token", s.counter + 1)}]
    ELSE [store |-> s, out |-> {Reply(m, "gone", 0)}]

Effect(m) == CASE m.kind = "set" -> Set(store, m)
               [] m.kind = "acquire" -> Acquire(store, m)
               [] m.kind = "delete" -> Delete(store, m)
               [] m.kind = "release" -> Release(store, m)
               [] m.kind = "extend" -> Extend(store, m)
               [] m.kind = "draw" -> Draw(store, m)

-----------------------------------------------------------------------------
(* What is true, for comparison with what clients are told.                *)

Blocked(o) == {c \in Clients : call[c].at \in Busy /\ o \notin {NoOne, Owner(c)}}

Witness(m, s) ==
    LET begins == s.owner # NoOne /\ s.owner # store.owner
        ends == store.owner # NoOne /\ s.owner # store.owner
        drew == m.kind = "draw" /\ s.counter > store.counter
        no == seen.hold[m.owner]
    IN  [seen EXCEPT !.blocked = @ \cup Blocked(s.owner),
                     !.released = IF ends /\ m.kind \in {"delete", "release"} THEN @ \cup {seen.count} ELSE @,
                     !.count = IF begins THEN @ + 1 ELSE @,
                     !.hold = IF begins THEN [@ EXCEPT ![s.owner] = seen.count + 1] ELSE @,
                     !.grows = @ /\ (drew => no >= seen.drawn),
                     !.drawn = IF drew THEN Max(@, no) ELSE @]

\* The network keeps a message.
Delay == \E m \in net :
    /\ delays > 0 /\ ~m.late /\ now < Horizon
    /\ delays' = delays - 1
    /\ net' = (net \ {m}) \cup {[m EXCEPT !.late = TRUE]}
    /\ UNCHANGED <<now, store, call, cleanup, seen>>
Arrives(m) == ~m.late \/ m.born < now

Serve == \E m \in net :
    /\ m.to = "store" /\ Arrives(m)
    /\ LET r == Effect(m)
       IN  /\ store' = r.store
           /\ net' = (net \ {m}) \cup {x \in r.out : ~(Unread(x) /\ Dead(x.owner))}
           /\ seen' = Witness(m, r.store)
    /\ UNCHANGED <<now, call, cleanup, delays>>

-----------------------------------------------------------------------------
(* What a client does.                                                     *)

Adopt(o) == IF Mistake = "no clean-up" THEN cleanup ELSE cleanup \cup {o}

Quiet(messages, o) == {m \in messages : ~(m.owner = o /\ Unread(m))}
Idles(c) == call' = [call EXCEPT ![c] = Idle(call[c].n)]

Request(c) ==
    /\ call[c].at = "idle" /\ call[c].n < Rounds /\ now + Ttl < Horizon
    /\ \E kind \in First :
        LET n == call[c].n + 1
            o == IF Mistake = "one owner for a client" THEN <<c, 1>> ELSE <<c, n>>
        IN  /\ net' = net \cup {Ask(kind, o)}
            /\ call' = [call EXCEPT ![c] = [Idle(n) EXCEPT !.at = "asking", !.begun = now, !.sent = now, !.tries = 1]]
            /\ seen' = [seen EXCEPT !.blocked = IF store.owner \in {NoOne, o} THEN @ \ {c} ELSE @ \cup {c}]
    /\ UNCHANGED <<now, store, cleanup, delays>>

\* No answer within a command timeout, or a waiter that looks again: the same owner asks once more.
AskAgain(c) ==
    /\ call[c].at \in Busy /\ now > call[c].sent /\ call[c].tries < Tries
    /\ net' = net \cup {Ask("acquire", Owner(c))}
    /\ call' = [call EXCEPT ![c].sent = now, ![c].tries = @ + 1]
    /\ UNCHANGED <<now, store, cleanup, delays, seen>>

Holds(c, deadline) ==
    /\ call' = [call EXCEPT ![c].at = "held", ![c].deadline = deadline]
    /\ UNCHANGED <<cleanup, seen>>

\* The deadline counts from the send of the try that was granted, or from the send of the refusal that the message
\* is compared with.
Grant(c, m) ==
    /\ call[c].at \in Busy /\ m.answer \in {"granted", "mine"}
    /\ m.kind = "message" => call[c].at = "waiting"
    /\ LET deadline == IF Mistake = "the deadline counts from the reply" THEN now + Ttl
                       ELSE IF m.kind = "message" THEN m.born - call[c].lag + Ttl
                       ELSE IF m.answer = "mine" THEN m.asked + m.value
                       ELSE m.asked + Ttl
       IN  IF deadline > now THEN Holds(c, deadline) /\ net' = net \ {m}
           ELSE /\ Idles(c)
                /\ cleanup' = Adopt(Owner(c))
                /\ net' = Quiet(net, Owner(c))
                /\ UNCHANGED seen

\* Nil is no refusal: the script decides.
AskScript(c, m) ==
    /\ call[c].at = "asking" /\ m.answer = "nil"
    /\ IF Mistake = "nil is a refusal"
       THEN /\ Idles(c)
            /\ seen' = [seen EXCEPT !.lie = @ \/ c \notin seen.blocked]
            /\ cleanup' = Adopt(Owner(c))
            /\ net' = Quiet(net, Owner(c))
       ELSE /\ call' = [call EXCEPT ![c].sent = now]
            /\ net' = (net \ {m}) \cup {Ask("acquire", Owner(c))}
            /\ UNCHANGED <<seen, cleanup>>

Queue(c, m) ==
    /\ call[c].at \in Busy /\ m.answer = "refused"
    /\ call' = [call EXCEPT ![c].at = "waiting", ![c].lag = m.born - m.asked]
    /\ net' = net \ {m}
    /\ UNCHANGED <<seen, cleanup>>

\* The wait is over after a definite refusal: the claim is withdrawn.
Refuse(c) ==
    /\ call[c].at = "waiting"
    /\ Idles(c)
    /\ seen' = [seen EXCEPT !.lie = @ \/ c \notin seen.blocked]
    /\ cleanup' = Adopt(Owner(c))
    /\ net' = Quiet(net, Owner(c))
    /\ UNCHANGED <<now, store, delays>>

\* No definite answer, or an interrupt.
Unknown(c) ==
    /\ call[c].at = "asking" /\ now > call[c].begun
    /\ Idles(c)
    /\ cleanup' = Adopt(Owner(c))
    /\ net' = Quiet(net, Owner(c))
    /\ UNCHANGED <<now, store, delays, seen>>

Renew(c) ==
    /\ call[c].at = "held" /\ call[c].extends < Extends /\ now < call[c].deadline
    /\ call' = [call EXCEPT ![c].extends = @ + 1]
    /\ net' = net \cup {Ask("extend", Owner(c))}
    /\ UNCHANGED <<now, store, cleanup, delays, seen>>

Renewed(c, m) ==
    /\ call[c].at = "held" /\ m.kind = "extend" /\ m.answer = "left"
    /\ call' = [call EXCEPT ![c].deadline = Max(@, m.asked + m.value)]
    /\ net' = net \ {m}
    /\ UNCHANGED <<cleanup, seen>>

DrawToken(c) ==
    /\ Draws /\ call[c].at = "held" /\ ~call[c].drew /\ now < call[c].deadline
    /\ call' = [call EXCEPT ![c].drew = TRUE]
    /\ net' = net \cup {Ask("draw", Owner(c))}
    /\ UNCHANGED <<now, store, cleanup, delays, seen>>

\* The store reports another owner, or none: the holder is notified.
LoseToOther(c, m) ==
    /\ call[c].at = "held" /\ m.kind \in {"extend", "draw"} /\ m.answer = "gone"
    /\ Idles(c)
    /\ seen' = [seen EXCEPT !.lie = @ \/ (now < call[c].deadline /\ m.owner \notin seen.taken)]
    /\ cleanup' = Adopt(Owner(c))
    /\ net' = Quiet(net, Owner(c))

\* The deadline has come: the holder is notified, then the lock is freed.
Lose(c) ==
    /\ call[c].at = "held" /\ now >= call[c].deadline
    /\ Idles(c)
    /\ cleanup' = Adopt(Owner(c))
    /\ net' = Quiet(net, Owner(c))
    /\ UNCHANGED <<now, store, delays, seen>>

ReleaseHold(c) ==
    /\ call[c].at = "held" /\ now < call[c].deadline
    /\ \E kind \in Releases : net' = net \cup {Ask(kind, Owner(c))}
    /\ call' = [call EXCEPT ![c].at = "releasing", ![c].sent = now]
    /\ UNCHANGED <<now, store, cleanup, delays, seen>>

Released(c, m) ==
    /\ call[c].at = "releasing" /\ m.kind \in {"delete", "release"}
    /\ IF m.answer = "no"
       THEN /\ net' = (net \ {m}) \cup {Ask("release", Owner(c))}
            /\ UNCHANGED <<call, cleanup, seen>>
       ELSE LET told == m.answer # "done" /\ (~call[c].unsure \/ Mistake = "absent is a loss")
                        /\ now < call[c].deadline
            IN  /\ net' = Quiet(net \ {m}, Owner(c))
                /\ Idles(c)
                /\ seen' = [seen EXCEPT !.lie = @ \/ (told /\ seen.hold[m.owner] \in seen.released)]
                \* An earlier command of this owner may still be under way.
                /\ cleanup' = IF m.value = 0 THEN Adopt(Owner(c)) ELSE cleanup

\* The release is not answered: it is sent once more, then it is left to the clean-up.
ReleaseAgain(c) ==
    /\ call[c].at = "releasing" /\ now > call[c].sent
    /\ IF call[c].unsure
       THEN Idles(c) /\ cleanup' = Adopt(Owner(c)) /\ net' = Quiet(net, Owner(c))
       ELSE /\ call' = [call EXCEPT ![c].unsure = TRUE, ![c].sent = now]
            /\ net' = net \cup {Ask("release", Owner(c))}
            /\ UNCHANGED cleanup
    /\ UNCHANGED <<now, store, delays, seen>>

Receive(c) == \E m \in net :
    /\ m.to = "client" /\ m.owner = Owner(c) /\ Arrives(m)
    /\ \/ Grant(c, m) \/ AskScript(c, m) \/ Queue(c, m) \/ Renewed(c, m) \/ LoseToOther(c, m) \/ Released(c, m)
    /\ UNCHANGED <<now, store, delays>>

\* Reaper: releases what a claim may have left behind, until the store has confirmed that nothing is left.
CleanUp == \E o \in cleanup :
    /\ \A m \in net : ~(m.owner = o /\ m.kind = "release")
    /\ net' = net \cup {Ask("release", o)}
    /\ UNCHANGED <<now, store, call, cleanup, delays, seen>>

CleanedUp == \E m \in net :
    /\ m.to = "client" /\ m.kind = "release" /\ m.owner \in cleanup /\ Arrives(m)
    /\ net' = net \ {m}
    /\ cleanup' = IF m.value = 1 \/ Mistake = "every answer settles" THEN cleanup \ {m.owner} ELSE cleanup
    /\ UNCHANGED <<now, store, call, delays, seen>>

\* An administrator deletes the lock, once.
Forget ==
    /\ Forgets /\ store.owner # NoOne /\ seen.taken = {}
    /\ store' = Freed(store)
    /\ seen' = [seen EXCEPT !.taken = {store.owner}]
    /\ UNCHANGED <<now, net, call, cleanup, delays>>

-----------------------------------------------------------------------------

\* What a client does at a time, it does before that time is over: see the limits of README.md.
Overdue(c) == \/ call[c].at = "held" /\ now >= call[c].deadline
              \/ call[c].at \in Busy /\ now >= call[c].begun + Wait + 2
              \/ call[c].at = "releasing" /\ now > call[c].sent + 1

\* Redis expires a lock whose lease is over.
Expire(s, at) == IF s.owner # NoOne /\ s.end <= at THEN Freed(s) ELSE s

\* A reply that its client has no use for any more, or not yet.
Ignored(m) == /\ m.to = "client" /\ ~(m.kind = "release" /\ m.owner \in cleanup)
              /\ \A c \in Clients : m.owner = Owner(c) =>
                    ~ \/ call[c].at = "asking" /\ m.kind \in {"set", "acquire"}
                      \/ call[c].at = "waiting" /\ m.kind \in {"acquire", "message"}
                      \/ call[c].at = "held" /\ m.kind \in {"extend", "draw"}
                      \/ call[c].at = "releasing" /\ m.kind \in {"delete", "release"}

Tick ==
    /\ now < Horizon /\ (\E c \in Clients : call[c].n > 0) /\ (\A c \in Clients : ~Overdue(c))
    /\ \A m \in net : m.late \/ Ignored(m)
    /\ now' = now + 1
    /\ store' = Expire(store, now + 1)
    /\ net' = {m \in net : m.late /\ m.born + Late > now /\ ~Ignored(m)}
    /\ UNCHANGED <<call, cleanup, delays, seen>>

End == now = Horizon /\ (\A c \in Clients : call[c].at = "idle") /\ UNCHANGED vars

Next == \/ Tick \/ Delay \/ Serve \/ CleanUp \/ CleanedUp \/ Forget \/ End
        \/ \E c \in Clients : \/ Request(c) \/ AskAgain(c) \/ Receive(c) \/ Refuse(c) \/ Unknown(c) \/ Renew(c)
                              \/ DrawToken(c) \/ Lose(c) \/ ReleaseHold(c) \/ ReleaseAgain(c)

Symmetry == Permutations(Clients)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------

Believes(c) == call[c].at = "held" /\ now < call[c].deadline

\* At most one holder believes in the lock, but for one from whom an administrator has taken it.
Exclusion == Cardinality({c \in Clients : Believes(c) /\ Owner(c) \notin seen.taken}) <= 1

\* A caller that believes has the lock: a holder is notified before the store can end its lease.
LossBeforeExpiry == \A c \in Clients : Believes(c) => store.owner = Owner(c) \/ Owner(c) \in seen.taken

\* "Held by another" only if another had it during the call; "lost" only if not by the own release.
NoLie == ~seen.lie

\* The tokens follow the order of the holds.
TokensGrow == seen.grows

\* A lock that no call wants any more is under clean-up.
NoOrphan == store.owner # NoOne /\ Dead(store.owner) => store.owner \in cleanup

\* A release grants the lock to those queued behind it.
NoWaiterForgotten == \A i \in 1..Len(store.queue) : store.queue[i].behind \notin seen.released

=============================================================================
