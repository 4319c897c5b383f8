------------------------------- MODULE Renewal -------------------------------
(***************************************************************************)
(* One held lock on one Redis over time: renewal and the stretch of a      *)
(* probation lease with late and lost replies, min-hold, tokens, a process *)
(* that is killed, a server that restarts without data, and clocks that    *)
(* drift. Queue and repeated tries are in Lock. README.md maps each step   *)
(* to the code.                                                            *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets, TLC

CONSTANTS Clients,  \* each makes one acquisition, which is its owner
          First,    \* the length of the first lease; shorter than Ttl for an explicit ttl on probation
          Ttl,      \* the length of a lease
          Renews,   \* whether the lease is renewed; if not, it is stretched to the whole ttl
          Extends,  \* how often one hold is renewed or stretched
          MinHold,  \* for how long the store keeps a lock at least that was released early; 0 for none
          Draws,    \* whether holders draw a token
          Drift,    \* how much earlier than on the clients' clock a lease may end
          Delays,   \* how many messages may be late or lost; the others arrive before the clock goes on, in any order
          Late,     \* how late a message may be
          Kills,    \* how many processes are killed
          Restarts, \* how often the server restarts without its data
          Horizon,  \* when the clock stops
          Mistake   \* a mistake that is planted, or "none"

VARIABLES now,      \* the clock of the clients
          store,    \* what Redis has: the lock, the end of its lease, the fence counter
          net,      \* messages under way
          call,     \* of each client: its acquisition
          reap,     \* of each client: since when the clean-up releases its claim again and again, or Never
          faults,   \* how many may still come
          seen      \* what no part of the system knows

vars == <<now, store, net, call, reap, faults, seen>>

NoOne == "none"
Never == 99
Max(a, b) == IF a > b THEN a ELSE b
Margin == IF Mistake = "no margin for drift" THEN 0 ELSE Drift
\* Tokens follow the clock of the server (0006); fewer than ten are drawn in a unit of time.
Clock == IF Mistake = "tokens do not follow the clock" THEN 0 ELSE 10 * now

Init == /\ now = 0
        /\ store = [owner |-> NoOne, end |-> 0, counter |-> 0]
        /\ net = {}
        /\ call = [c \in Clients |-> [at |-> "new", sent |-> 0, since |-> 0, deadline |-> 0, extends |-> 0, drew |-> FALSE]]
        /\ reap = [c \in Clients |-> Never]
        /\ faults = [delays |-> Delays, kills |-> Kills, restarts |-> Restarts]
        /\ seen = [grants |-> 0, no |-> [c \in Clients |-> 0], at |-> [c \in Clients |-> 0], bound |-> [c \in Clients |-> Never],
                   taken |-> {}, released |-> {}, last |-> [no |-> 0, token |-> 0], grows |-> TRUE, early |-> FALSE,
                   lie |-> FALSE]

\* value: the lease that is asked for, or what is left of it; asked: when the request was sent
Ask(kind, c, value) == [to |-> "store", kind |-> kind, owner |-> c, born |-> now, late |-> FALSE, value |-> value]
Reply(m, answer, value) == [to |-> "client", kind |-> m.kind, owner |-> m.owner, born |-> now, late |-> FALSE,
                            asked |-> m.born, answer |-> answer, value |-> value, lease |-> m.value]
\* Whether nothing else of this owner can still arrive (0005).
Settles(m) == IF \E r \in net : r.to = "store" /\ r.owner = m.owner /\ r # m THEN 0 ELSE 1
Read(m) == \/ call[m.owner].at = "asking" /\ m.kind = "acquire"
           \/ call[m.owner].at = "held" /\ m.kind \in {"extend", "draw"}
           \/ call[m.owner].at = "releasing" /\ m.kind \in {"release", "keep"}
           \/ call[m.owner].at = "done" /\ m.kind = "release" /\ reap[m.owner] # Never

-----------------------------------------------------------------------------
(* What Redis does with one request.                                       *)

Freed(s) == [s EXCEPT !.owner = NoOne, !.end = 0]

\* SET lock owner NX PX ttl, or the first lines of acquire.lua
Acquire(s, m) == IF s.owner = NoOne THEN <<[s EXCEPT !.owner = m.owner, !.end = now + m.value], "granted", m.value>>
                 ELSE <<s, "refused", 0>>

\* extend.lua, batch.lua: an extension never shortens a lease
Extend(s, m) == IF s.owner # m.owner THEN <<s, "gone", 0>>
                ELSE LET end == IF Mistake = "an extension shortens a lease" THEN now + m.value ELSE Max(s.end, now + m.value)
                     IN  <<[s EXCEPT !.end = end], "left", end - now>>

\* release.lua
Release(s, m) == IF s.owner = m.owner THEN <<Freed(s), "done", Settles(m)>> ELSE <<s, "gone", Settles(m)>>

\* release_after.lua: the owner stays
Keep(s, m) == IF s.owner = m.owner THEN <<[s EXCEPT !.end = now + m.value], "done", 0>> ELSE <<s, "gone", 0>>

\* draw_token.lua
Draw(s, m) == IF s.owner = m.owner \/ Mistake = "a token is drawn without comparing"
              THEN LET token == Max(s.counter + 1, Clock) IN  <<[s EXCEPT !.counter = token], "token", token>>
              ELSE <<s, "gone", 0>>

Effect(m) == CASE m.kind = "acquire" -> Acquire(store, m) [] m.kind = "extend" -> Extend(store, m)
               [] m.kind = "release" -> Release(store, m) [] m.kind = "keep" -> Keep(store, m)
               [] m.kind = "draw" -> Draw(store, m)

\* The lock of an owner ends: too early, if that one has released it and its min-hold is not over?
Ended(w, c, at) == [w EXCEPT !.early = @ \/ (c \in w.released /\ at + Drift < w.at[c] + MinHold)]

Witness(m, r) ==
    LET c == m.owner
    IN  IF r[1].owner = c /\ store.owner = NoOne
        THEN [seen EXCEPT !.grants = @ + 1, !.no[c] = seen.grants + 1, !.at[c] = now]
        ELSE IF store.owner = c /\ r[1].owner = NoOne THEN Ended(seen, c, now)
        ELSE IF r[2] = "token"
        THEN [seen EXCEPT !.grows = @ /\ seen.no[c] >= seen.last.no /\ r[3] > seen.last.token,
                          !.last = [no |-> Max(@.no, seen.no[c]), token |-> Max(@.token, r[3])]]
        ELSE seen

Arrives(m) == ~m.late \/ m.born < now

\* The network keeps a message.
Delay == \E m \in net :
    /\ faults.delays > 0 /\ ~m.late /\ now < Horizon
    /\ faults' = [faults EXCEPT !.delays = @ - 1]
    /\ net' = (net \ {m}) \cup {[m EXCEPT !.late = TRUE, !.born = IF m.to = "store" THEN @ ELSE now]}
    /\ UNCHANGED <<now, store, call, reap, seen>>

Serve == \E m \in net :
    /\ m.to = "store" /\ Arrives(m)
    /\ LET r == Effect(m)
           reply == Reply(m, r[2], r[3])
       IN  /\ store' = r[1]
           /\ net' = (net \ {m}) \cup IF Read(reply) THEN {reply} ELSE {}
           /\ seen' = Witness(m, r)
    /\ UNCHANGED <<now, call, reap, faults>>

-----------------------------------------------------------------------------
(* What a client does.                                                     *)

Quiet(c) == {m \in net : ~(m.owner = c /\ m.to = "client")}
Reaps(c, at) == reap' = [reap EXCEPT ![c] = at]
Ends(c) == call' = [call EXCEPT ![c] = [at |-> "done", sent |-> 0, since |-> 0, deadline |-> 0, extends |-> 0, drew |-> FALSE]]

Request(c) ==
    /\ call[c].at = "new" /\ now < Horizon
    /\ net' = net \cup {Ask("acquire", c, First)}
    /\ call' = [call EXCEPT ![c].at = "asking", ![c].sent = now]
    /\ UNCHANGED <<now, store, reap, faults, seen>>

\* LeaseTerms.safeUntil: the deadline counts from the send, less a margin for drift.
Grant(c, m) ==
    /\ call[c].at = "asking" /\ m.answer = "granted"
    /\ LET deadline == m.asked + m.value - Margin
       IN  IF deadline > now
           THEN /\ call' = [call EXCEPT ![c].at = "held", ![c].since = now, ![c].deadline = deadline]
                /\ net' = net \ {m} /\ UNCHANGED <<reap, seen>>
           ELSE Ends(c) /\ Reaps(c, now) /\ net' = Quiet(c) /\ UNCHANGED seen

Refuse(c, m) ==
    /\ call[c].at = "asking" /\ m.answer = "refused"
    /\ Ends(c) /\ net' = Quiet(c) /\ UNCHANGED <<reap, seen>>

\* No answer within a command timeout.
Unknown(c) ==
    /\ call[c].at = "asking" /\ now > call[c].sent
    /\ Ends(c) /\ Reaps(c, IF Mistake = "no clean-up" THEN Never ELSE now) /\ net' = Quiet(c)
    /\ UNCHANGED <<now, store, faults, seen>>

\* LeaseRenewer, HeldLease.extension: a whole lease, or what is left of the explicit ttl, or a moment just to ask.
Renew(c) ==
    /\ call[c].at = "held" /\ call[c].extends < Extends /\ now < call[c].deadline
    /\ \E lease \in IF Renews THEN {Ttl} ELSE {Ttl - (now - call[c].since), 1} : net' = net \cup {Ask("extend", c, lease)}
    /\ call' = [call EXCEPT ![c].extends = @ + 1]
    /\ UNCHANGED <<now, store, reap, faults, seen>>

\* HeldLease.extended: a late reply counts, too, from when its command was sent.
Renewed(c, m) ==
    /\ call[c].at = "held" /\ m.answer = "left"
    /\ call' = [call EXCEPT ![c].deadline =
                   Max(@, (IF Mistake = "a renewal counts from its reply" THEN now ELSE m.asked) + m.value - Margin)]
    /\ net' = net \ {m} /\ UNCHANGED <<reap, seen>>

DrawToken(c) ==
    /\ Draws /\ call[c].at = "held" /\ ~call[c].drew /\ now < call[c].deadline
    /\ net' = net \cup {Ask("draw", c, 0)}
    /\ call' = [call EXCEPT ![c].drew = TRUE]
    /\ UNCHANGED <<now, store, reap, faults, seen>>

\* The store reports that another owner, or none, has the lock: the holder is notified.
LoseToOther(c, m) ==
    /\ call[c].at = "held" /\ m.answer = "gone"
    /\ Ends(c) /\ net' = Quiet(c)
    /\ seen' = [seen EXCEPT !.lie = @ \/ (now < call[c].deadline /\ c \notin seen.taken)]
    /\ UNCHANGED reap

\* The deadline has come: the holder is notified, then the lock is freed.
Lose(c) ==
    /\ call[c].at = "held" /\ now >= call[c].deadline
    /\ Ends(c) /\ Reaps(c, now) /\ net' = Quiet(c)
    /\ UNCHANGED <<now, store, faults, seen>>

\* LeaseTermination.giveBack: no renewal follows, but one may be under way.
ReleaseHold(c) ==
    /\ call[c].at = "held" /\ now < call[c].deadline
    /\ LET held == now - call[c].since
       IN  /\ net' = Quiet(c) \cup {IF held < MinHold THEN Ask("keep", c, MinHold - held) ELSE Ask("release", c, 0)}
           /\ call' = [call EXCEPT ![c].at = "releasing", ![c].sent = now]
           /\ seen' = [seen EXCEPT !.released = @ \cup {c},
                                   !.bound[c] = IF held < MinHold THEN now + Late + MinHold - held ELSE @]
    /\ UNCHANGED <<now, store, reap, faults>>

\* LeaseTermination.kept: once its min-hold is over, the clean-up ends what a renewal under way may have stretched.
Kept(c, left, mistake) == Reaps(c, CASE Mistake = mistake -> Never
                                     [] Mistake = "a kept lock is cleaned up at once" -> now
                                     [] OTHER -> now + left)

Released(c, m) ==
    /\ call[c].at = "releasing" /\ m.kind \in {"release", "keep"}
    /\ Ends(c) /\ net' = Quiet(c)
    /\ IF m.kind = "keep" /\ m.answer = "done" THEN Kept(c, m.lease, "a kept lock is not cleaned up")
       ELSE IF m.kind = "release" /\ m.value = 0 THEN Reaps(c, now) ELSE UNCHANGED reap
    /\ LET told == m.answer = "gone" /\ (now < call[c].deadline \/ Mistake = "gone is a loss")
       IN  seen' = [seen EXCEPT !.lie = @ \/ (told /\ c \notin seen.taken)]

\* The release is not answered in time.
ReleaseUnanswered(c) ==
    /\ call[c].at = "releasing" /\ now > call[c].sent
    /\ Ends(c) /\ net' = Quiet(c)
    /\ LET held == call[c].sent - call[c].since
       IN  IF held < MinHold THEN Kept(c, MinHold - held, "no reply to a release is an end") ELSE Reaps(c, now)
    /\ UNCHANGED <<now, store, faults, seen>>

Receive(c) == \E m \in net :
    /\ m.to = "client" /\ m.owner = c /\ Arrives(m)
    /\ Grant(c, m) \/ Refuse(c, m) \/ Renewed(c, m) \/ LoseToOther(c, m) \/ Released(c, m)
    /\ UNCHANGED <<now, store, faults>>

\* Reaper: releases what the claim may have left behind, until the store has confirmed that nothing is left.
CleanUp(c) ==
    /\ reap[c] <= now /\ \A m \in net : ~(m.owner = c /\ m.kind = "release")
    /\ net' = net \cup {Ask("release", c, 0)}
    /\ UNCHANGED <<now, store, call, reap, faults, seen>>

CleanedUp(c) == \E m \in net :
    /\ m.to = "client" /\ m.kind = "release" /\ m.owner = c /\ call[c].at = "done" /\ Arrives(m)
    /\ net' = net \ {m}
    /\ Reaps(c, IF m.value = 1 \/ Mistake = "every answer settles" THEN Never ELSE reap[c])
    /\ UNCHANGED <<now, store, call, faults, seen>>

-----------------------------------------------------------------------------

\* The process is killed: what it has sent may still be executed, and nothing else comes of it.
Kill(c) ==
    /\ faults.kills > 0 /\ (call[c].at \in {"asking", "held", "releasing"} \/ reap[c] # Never)
    /\ faults' = [faults EXCEPT !.kills = @ - 1]
    /\ Ends(c) /\ Reaps(c, Never) /\ net' = Quiet(c)
    /\ seen' = [seen EXCEPT !.bound[c] = now + Late + Max(First, Ttl)]
    /\ UNCHANGED <<now, store>>

Overdue(c) == \/ call[c].at = "held" /\ now >= call[c].deadline
              \/ call[c].at \in {"asking", "releasing"} /\ now > call[c].sent

\* The clock goes on. A lease ends at its time, or a little earlier if the server's clock runs faster; and the server
\* may come back without any data.
Tick == \E forgets \in BOOLEAN, fast \in BOOLEAN :
    LET held == store.owner # NoOne
        over == held /\ (store.end <= now + 1 \/ (fast /\ store.end <= now + 1 + Drift))
    IN  /\ now < Horizon /\ (\A c \in Clients : ~Overdue(c)) /\ (\A m \in net : m.late)
        /\ forgets => faults.restarts > 0
        /\ fast => Drift > 0 /\ held /\ store.end > now + 1
        /\ now' = now + 1
        /\ faults' = [faults EXCEPT !.restarts = IF forgets THEN @ - 1 ELSE @]
        /\ store' = IF forgets THEN [owner |-> NoOne, end |-> 0, counter |-> 0] ELSE IF over THEN Freed(store) ELSE store
        /\ seen' = IF forgets THEN [seen EXCEPT !.taken = @ \cup ({store.owner} \ {NoOne})]
                   ELSE IF over THEN Ended(seen, store.owner, now + 1) ELSE seen
        /\ net' = {m \in net : m.born + Late > now /\ (m.to = "client" => Read(m))}
        /\ UNCHANGED <<call, reap>>

End == now = Horizon /\ (\A c \in Clients : call[c].at \in {"new", "done"}) /\ UNCHANGED vars

Next == \/ Tick \/ Delay \/ Serve \/ End
        \/ \E c \in Clients : \/ Request(c) \/ Receive(c) \/ Unknown(c) \/ Renew(c) \/ DrawToken(c) \/ Lose(c)
                              \/ ReleaseHold(c) \/ ReleaseUnanswered(c) \/ CleanUp(c) \/ CleanedUp(c) \/ Kill(c)

Symmetry == Permutations(Clients)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------

Believes(c) == call[c].at = "held" /\ now < call[c].deadline

\* At most one holder believes in the lock, but for one whose lock the server has forgotten.
Exclusion == Cardinality({c \in Clients : Believes(c) /\ c \notin seen.taken}) <= 1

\* A caller that believes has the lock: a holder is notified before the store can end its lease.
LossBeforeExpiry == \A c \in Clients : Believes(c) => store.owner = c \/ c \in seen.taken

\* "Lost" only if the store has really forgotten the lock, or the lease is over.
NoLie == ~seen.lie

\* Tokens follow the order of the holds, also after the loss of all data.
TokensGrow == seen.grows

\* A lock that no call wants any more is under clean-up, or ends by its bound: with its min-hold, or with the lease that
\* a killed process has asked for last.
NoOrphan == \A c \in Clients : store.owner = c /\ call[c].at = "done" =>
                reap[c] # Never \/ (seen.bound[c] # Never /\ store.end <= seen.bound[c])

\* A lock that was released stays taken until its min-hold is over.
MinHoldIsKept == ~seen.early

=============================================================================
