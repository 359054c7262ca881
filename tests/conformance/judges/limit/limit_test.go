package limit

import (
	"cmp"
	"encoding/json"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
)

// Times are milliseconds of the server's clock.
type history struct {
	Name      string
	Processes int
	Limit     struct{ Requests, WindowMs int }
	// A request that takes longer from the process to the server may count in a later window.
	UnderWayMs float64
	// When Redis failed, how often, and when all processes share again.
	Outage struct {
		From, Until float64
		Failures    int
	}
	Calls []call
}

type call struct {
	Start, Arrival, End float64
	Status              int
}

// The journal has whole milliseconds, and a process's clock is compared with the server's once.
const resolutionMs = 5

type input struct {
	position  int
	arrival   float64
	isShared  bool
	isRefused bool
}

type state struct {
	position int
	admitted []float64
}

// A limiter with a sliding window, which takes requests in the order of the server's journal. It refuses those that find
// the window full, which no shared request does.
func limiter(requests int, windowMs float64) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return state{} },
		Step: func(before, in, _ any) (bool, any) {
			known, request := before.(state), in.(input)
			if request.position != known.position {
				return false, known
			}
			within := func(ms float64) (count int) {
				for _, at := range known.admitted {
					if at > request.arrival-ms {
						count++
					}
				}
				return count
			}
			if request.isRefused {
				isLegal := !request.isShared && within(windowMs+resolutionMs) >= requests
				return isLegal, state{known.position + 1, known.admitted}
			}
			recent := known.admitted[max(0, len(known.admitted)-requests):]
			isLegal := within(windowMs-resolutionMs) < requests
			return isLegal, state{known.position + 1, append(slices.Clone(recent), request.arrival)}
		},
		// The position decides the rest.
		Equal: func(one, other any) bool { return one.(state).position == other.(state).position },
	}
}

func TestHistories(t *testing.T) {
	text, err := os.ReadFile(os.Getenv("HISTORIES"))
	var histories []history
	if err == nil {
		err = json.Unmarshal(text, &histories)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range histories {
		t.Run(one.Name, func(t *testing.T) { judge(t, one) })
	}
}

func judge(t *testing.T, h history) {
	windowMs := float64(h.Limit.WindowMs)
	// Of those that arrive at the same moment, the refused ones come last.
	order := func(one call) float64 {
		if one.Status == 429 {
			return one.Arrival + resolutionMs
		}
		return one.Arrival
	}
	slices.SortFunc(h.Calls, func(one, other call) int { return cmp.Compare(order(one), order(other)) })
	learnedAt, slow, operations := 0.0, []float64{}, []porcupine.Operation{}
	for _, one := range h.Calls {
		if one.Status == 429 && (learnedAt == 0 || one.End+windowMs < learnedAt) {
			learnedAt = one.End + windowMs
		}
		if one.Arrival-one.Start > h.UnderWayMs {
			slow = append(slow, one.Arrival)
		}
	}
	shared, learning, alone := 0, 0, 0
	for index, one := range h.Calls {
		isLearning := one.Start < learnedAt
		isAlone := one.Start >= h.Outage.From && one.Start < h.Outage.Until
		isLate := slices.ContainsFunc(slow, func(at float64) bool { return at <= one.Arrival && at > one.Arrival-windowMs })
		isShared, isRefused := !isLearning && !isAlone && !isLate, one.Status == 429
		switch {
		case isShared:
			shared++
			if isRefused {
				t.Errorf("a request is refused at %.0f, while Redis responds: the limit is learned at %.0f, the outage is %.0f to %.0f",
					one.Arrival, learnedAt, h.Outage.From, h.Outage.Until)
			}
		case isRefused && isLearning:
			learning++
		case isRefused && isAlone:
			alone++
		}
		operations = append(operations, porcupine.Operation{
			ClientId: index,
			Input:    input{index, one.Arrival, isShared, isRefused},
			Call:     int64(1000 * (one.Start - resolutionMs)),
			Return:   int64(1000 * (one.End + resolutionMs)),
		})
	}
	t.Logf("%d requests, %d of them shared; %d refused while the limit was unknown, %d in the outage; %d slow",
		len(h.Calls), shared, learning, alone, len(slow))
	if most := 10 * h.Processes; learning > most {
		t.Errorf("%d requests were refused before the limit was known, more than %d", learning, most)
	}
	if most := h.Outage.Failures * h.Limit.Requests; alone > most {
		t.Errorf("%d requests were refused in the outage, more than %d", alone, most)
	}
	if shared == 0 {
		t.Error("no request was shared after the outage")
	}
	check := func(requests int) porcupine.CheckResult {
		return porcupine.CheckOperationsTimeout(limiter(requests, windowMs), operations, 20*time.Second)
	}
	if result := check(h.Limit.Requests); result != porcupine.Ok {
		t.Errorf("the requests are no history of a windowed limiter: %s", result)
	}
	if check(h.Limit.Requests-1) != porcupine.Illegal {
		t.Error("the judge does not tell the limit from a lower one")
	}
}
